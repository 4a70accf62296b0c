package org.rdma4j.iwarp.tcp;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.rdma4j.iwarp.mpa.CrcRule;
import org.rdma4j.iwarp.mpa.MpaSettings;
import org.rdma4j.link.LinkException;
import org.rdma4j.link.NameOptions;

/**
 * What stands behind the family in the name of an iWARP device: an address of this host, and what its connections want
 * of MPA.
 *
 * <pre>
 *   ADDRESS[?OPTION=VALUE[&amp;OPTION=VALUE ...]]       a comma does for the ampersand
 *
 *   crc=on|off|siw           ask for CRCs; off: use them where the peer asks; siw: ask, and go by siw's rule
 *   markers=on|off           ask for markers
 *   mpa=1|2                  revision of MPA: 1 (RFC 5044) or 2, with IRD and ORD (RFC 6581)
 *   p2p=on|off               ask for peer-to-peer connections, where the asked side may send first (RFC 6581)
 *   keepalive=SECONDS|off    ask a peer that has been silent so long whether it is there; else when the system does
 * </pre>
 */
record IwarpName(InetAddress address, MpaSettings settings, KeepAlive keepAlive) {

    static final String FAMILY = "iwarp";

    private static final List<String> KNOWN = List.of("crc", "markers", "mpa", "p2p", "keepalive");

    /** @throws LinkException where there is no such device */
    static IwarpName parse(String text) {
        NameOptions parsed = NameOptions.parse(FAMILY, text, KNOWN);
        MpaSettings settings = MpaSettings.defaults();
        settings = switch (parsed.options().getOrDefault("crc", "off")) {
            case "on" -> settings.withCrc(true, CrcRule.RFC);
            case "siw" -> settings.withCrc(true, CrcRule.SIW);
            case "off" -> settings;
            case String other -> throw wrong(text, "crc", other, "on, off or siw");
        };
        if (isOn(parsed, text, "markers")) {
            settings = settings.withMarkers(true, settings.sendsMarkers());
        }
        settings = switch (parsed.options().getOrDefault("mpa", "2")) {
            case "1" -> settings.withEnhanced(false);
            case "2" -> settings;
            case String other -> throw wrong(text, "mpa", other, "1 or 2");
        };
        boolean peerToPeer = isOn(parsed, text, "p2p");
        if (peerToPeer && !settings.enhanced()) {
            throw NameOptions.unknown(FAMILY, text, "p2p=on needs mpa=2: revision 1 has no peer-to-peer connections");
        }
        return new IwarpName(
                address(parsed.place(), text), settings.withPeerToPeer(peerToPeer), keepAlive(parsed, text));
    }

    private static boolean isOn(NameOptions parsed, String text, String option) {
        return switch (parsed.options().getOrDefault(option, "off")) {
            case "on" -> true;
            case "off" -> false;
            case String other -> throw wrong(text, option, other, "on or off");
        };
    }

    private static KeepAlive keepAlive(NameOptions parsed, String text) {
        String value = parsed.options().get("keepalive");
        if (value == null) {
            return new KeepAlive(KeepAlive.SYSTEM);
        }
        if (value.equals("off")) {
            return new KeepAlive(0);
        }
        try {
            int seconds = Integer.parseInt(value);
            if (seconds >= 1 && seconds <= KeepAlive.MOST) {
                return new KeepAlive(seconds);
            }
        } catch (NumberFormatException _) {
            // Said below.
        }
        throw wrong(text, "keepalive", value, "1 to " + KeepAlive.MOST + " seconds, or off");
    }

    private static LinkException wrong(String text, String option, String value, String wanted) {
        return NameOptions.unknown(FAMILY, text, option + "=" + value + ": " + option + " is " + wanted);
    }

    private static InetAddress address(String place, String text) {
        try {
            InetAddress address = InetAddress.getByName(place);
            if (place.isBlank() || address.isAnyLocalAddress() || address.isMulticastAddress()) {
                throw NameOptions.unknown(
                        FAMILY, text, "a device needs one address of this host, not a wildcard or a group");
            }
            return address;
        } catch (UnknownHostException e) {
            throw new LinkException(
                    LinkException.Kind.UNKNOWN_DEVICE, FAMILY + ":" + text + ": no such address or host", e);
        }
    }
}
