package org.rdma4j.rocev2.ethernet;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rdma4j.link.LinkException;
import org.rdma4j.link.NameOptions;
import org.rdma4j.rocev2.ethernet.NetworkCard.Address;
import org.rdma4j.wire.Gid;

/**
 * What stands behind the family in the name of a raw Ethernet device:
 *
 * <pre>
 *   PLACE                    an interface, or qemu=LOCAL,REMOTE
 *   PLACE[?OPTION=VALUE[&amp;OPTION=VALUE ...]]       a comma does for the ampersand
 *
 *   vlan=0..4094             frames carry an 802.1Q tag; 0 is a tag for the priority only
 *   priority=0..7            of the tag; alone it means vlan=0
 *   address=IP[/PREFIX]      the device's own address, where it is not the first one of the interface
 *   gateway=IP               leads to peers outside of the prefix
 *   mac=aa:bb:cc:dd:ee:ff    the device's MAC, where the place has none of its own
 *   mtu=BYTES                the same for its MTU
 * </pre>
 *
 * @param family {@code roce1} or {@code roce2eth}
 * @param place the interface, or what stands for one
 */
public record PortName(String family, String place, Map<String, String> options) {

    private static final List<String> KNOWN = List.of("vlan", "priority", "address", "gateway", "mac", "mtu");
    private static final Pattern MAC = Pattern.compile("(\\p{XDigit}{2}[:-]){5}\\p{XDigit}{2}");
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");
    private static final Pattern WITH_PREFIX = Pattern.compile("(.+?)(?:/(\\d{1,3}))?");

    /** @throws LinkException for an option that is none, or twice there */
    public static PortName parse(String family, String text) {
        NameOptions parsed = NameOptions.parse(family, text, KNOWN);
        String place = parsed.place();
        if (place.isEmpty()) {
            throw NameOptions.unknown(family, text, "an interface belongs behind the colon: " + family + ":eth0");
        }
        return new PortName(family, place, parsed.options());
    }

    /** As the user spelled it, up to the order of the options. */
    public String text() {
        StringBuilder text = new StringBuilder(family).append(':').append(place);
        char before = '?';
        for (String key : KNOWN) {
            if (options.containsKey(key)) {
                text.append(before).append(key).append('=').append(options.get(key));
                before = '&';
            }
        }
        return text.toString();
    }

    public boolean has(String option) {
        return options.containsKey(option);
    }

    /** @throws LinkException where an option says of an interface what the interface knows itself */
    public void requireCard() {
        for (String option : List.of("mac", "mtu")) {
            if (has(option)) {
                throw new LinkException(
                        LinkException.Kind.UNKNOWN_DEVICE, text() + ": " + place + " has its own " + option);
            }
        }
    }

    /** The tag's number; -1 where frames have none. */
    public int vlanId() {
        return has("vlan") ? number("vlan", 0, 4094) : has("priority") ? PortConfig.PRIORITY_ONLY : -1;
    }

    public int priority() {
        return has("priority") ? number("priority", 0, 7) : 0;
    }

    /** @param otherwise where the name has none */
    public int mtu(int otherwise) {
        return has("mtu") ? number("mtu", 576, 65_535) : otherwise;
    }

    /** @param otherwise where the name has none */
    public long mac(long otherwise) {
        if (!has("mac")) {
            return otherwise;
        }
        String text = options.get("mac");
        long mac = MAC.matcher(text).matches() ? Long.parseLong(text.replaceAll("[:-]", ""), 16) : 0;
        if (mac == 0 || (mac >>> 40 & 1) != 0) {
            throw wrong("mac", "one station's address, such as 52:54:00:12:34:56");
        }
        return mac;
    }

    /** The address that was named, its prefix 0 where none was; {@code null} where there is none. */
    public Address address() {
        if (!has("address")) {
            return null;
        }
        Matcher parts = WITH_PREFIX.matcher(options.get("address"));
        String wanted = "an IP address such as 10.9.0.5, or with its prefix, 10.9.0.5/24";
        Gid gid = parts.matches() ? literal(parts.group(1)) : null;
        if (gid == null) {
            throw wrong("address", wanted);
        }
        int prefix = parts.group(2) == null ? 0 : Integer.parseInt(parts.group(2));
        if (prefix > (gid.isIpv4() ? 32 : 128)) {
            throw wrong("address", wanted);
        }
        return new Address(gid, prefix);
    }

    /** {@code null} where none was named. */
    public Gid gateway() {
        if (!has("gateway")) {
            return null;
        }
        Gid gid = literal(options.get("gateway"));
        if (gid == null) {
            throw wrong("gateway", "an IP address");
        }
        return gid;
    }

    /** One station's address, never a name that someone would have to be asked for. */
    private static Gid literal(String text) {
        if (!ADDRESS.matcher(text).matches()) {
            return null;
        }
        try {
            InetAddress address = InetAddress.getByName(text);
            return address.isAnyLocalAddress() || address.isMulticastAddress() ? null : Gid.of(address);
        } catch (UnknownHostException e) {
            return null;
        }
    }

    private int number(String option, int least, int most) {
        String text = options.get(option);
        int value = text.matches("\\d{1,5}") ? Integer.parseInt(text) : -1;
        if (value < least || value > most) {
            throw wrong(option, "a number from " + least + " to " + most);
        }
        return value;
    }

    private LinkException wrong(String option, String wanted) {
        return NameOptions.unknown(family, place, option + "=" + options.get(option) + ": " + option + " is " + wanted);
    }
}
