package org.rdma4j.tools.replay;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.rdma4j.analysis.Flow;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;
import org.rdma4j.wire.Gid;

/**
 * Reads the rules of {@code --map}: {@code KIND:OLD[@HOST]=NEW}. In the place of OLD {@code client} and {@code server} stand
 * for what the capture's own exchange says of that end of the connection, {@code *} for everything.
 */
final class MapRules {

    private static final String ANY = "*";
    private static final String CLIENT = "client";
    private static final String SERVER = "server";
    private static final String NO_VLAN = "none";
    private static final Pattern MAC = Pattern.compile("(?:[0-9a-fA-F]{1,2}:){5}[0-9a-fA-F]{1,2}");

    private static final Pattern DOTTED = Pattern.compile("\\d+(?:\\.\\d+){3}");

    private final Survey survey;
    private final CapturedConnection connection;
    private final List<NumberRule> numbers = new ArrayList<>();
    private final List<AddressRule> addresses = new ArrayList<>();
    private String rule; // the one at hand, for messages

    private MapRules(Survey survey, CapturedConnection connection) {
        this.survey = survey;
        this.connection = connection;
    }

    /**
     * @param connection the one whose ends {@code client} and {@code server} are; {@code null} where there is none
     * @throws ToolException naming the rule that cannot be read
     */
    static Mapping parse(List<String> rules, Survey survey, CapturedConnection connection) {
        MapRules reader = new MapRules(survey, connection);
        rules.forEach(reader::read);
        return new Mapping(reader.numbers, reader.addresses);
    }

    private void read(String text) {
        rule = text;
        int colon = text.indexOf(':');
        int equals = text.lastIndexOf('=');
        if (colon < 0 || equals <= colon + 1 || equals == text.length() - 1) {
            throw wrong("a rule is KIND:OLD=NEW, such as ip:10.77.0.1=10.77.0.9");
        }
        MapKind kind = MapKind.named(text.substring(0, colon));
        if (kind == null) {
            throw wrong("'" + text.substring(0, colon) + "' is nothing to map: " + MapKind.names() + " are");
        }
        String old = text.substring(colon + 1, equals);
        String replacement = text.substring(equals + 1);
        if (kind == MapKind.IP) {
            address(old, replacement);
        } else {
            number(kind, old, replacement);
        }
    }

    private void address(String old, String replacement) {
        if (old.equals(CLIENT) || old.equals(SERVER)) {
            Gid gid = end(old).gid();
            addresses.add(sameFamily(gid, gid(replacement), 2 * Long.SIZE));
            return;
        }
        int slash = old.indexOf('/');
        int slashNew = replacement.indexOf('/');
        if (slash < 0 && slashNew < 0) {
            addresses.add(sameFamily(gid(old), gid(replacement), 2 * Long.SIZE));
            return;
        }
        String length = slash < 0 ? "" : old.substring(slash + 1);
        if (slash < 0 || slashNew < 0 || !length.equals(replacement.substring(slashNew + 1))) {
            throw wrong("a network takes the place of one with as many bits: ip:10.77.0.0/24=10.9.0.0/24");
        }
        Gid network = gid(old.substring(0, slash));
        int most = network.isIpv4() ? Integer.SIZE : 2 * Long.SIZE;
        long bits = unsigned(length);
        if (bits < 0 || bits > most) {
            throw wrong("'/" + length + "' is no network's length: 0 to " + most);
        }
        int front = network.isIpv4() ? AddressRule.IPV4_BITS : 0;
        addresses.add(sameFamily(network, gid(replacement.substring(0, slashNew)), front + (int) bits));
    }

    private AddressRule sameFamily(Gid old, Gid replacement, int bits) {
        if (old.isIpv4() != replacement.isIpv4()) {
            throw wrong("an IPv4 address does not fit in an IPv6 header, nor the other way round");
        }
        return new AddressRule(old, replacement, bits);
    }

    private Gid gid(String text) {
        try {
            if (text.contains(":") || DOTTED.matcher(text).matches()) { // 10.1 would be read as 10.0.0.1
                return Gid.of(InetAddress.ofLiteral(text));
            }
        } catch (IllegalArgumentException _) {
            // Said below.
        }
        throw wrong("'" + text + "' is no IP address");
    }

    private void number(MapKind kind, String old, String replacement) {
        long newValue = value(kind, replacement);
        if (old.equals(CLIENT) || old.equals(SERVER)) {
            numbers.add(learned(kind, old, newValue));
            return;
        }
        int at = kind.isHosted() ? old.lastIndexOf('@') : -1;
        Gid host = at < 0 ? null : host(old.substring(at + 1));
        String number = at < 0 ? old : old.substring(0, at);
        boolean any = number.equals(ANY);
        if (any && kind.isShift()) {
            throw wrong(kind.text() + "s all move by NEW - OLD: name one");
        }
        numbers.add(new NumberRule(kind, any, any ? 0 : value(kind, number), newValue, host, null));
    }

    private Gid host(String text) {
        return text.equals(CLIENT) || text.equals(SERVER) ? end(text).gid() : gid(text);
    }

    private CapturedConnection.End end(String name) {
        if (connection == null) {
            throw wrong("the capture holds no connection with a client and a server");
        }
        return name.equals(CLIENT) ? connection.client() : connection.server();
    }

    /** What the capture itself says of an end. */
    private NumberRule learned(MapKind kind, String name, long newValue) {
        CapturedConnection.End end = end(name);
        Flow flow = name.equals(CLIENT) ? connection.clientFlow() : connection.serverFlow();
        long old = switch (kind) {
            case MAC, SMAC, DMAC -> {
                Long mac = survey.mac(end.gid());
                yield mac == null ? CapturedConnection.UNKNOWN : mac;
            }
            case QPN -> end.qpn();
            case PSN -> end.psn();
            case RKEY -> end.rKey() == 0 ? CapturedConnection.UNKNOWN : Integer.toUnsignedLong(end.rKey());
            case VA -> end.rKey() == 0 ? CapturedConnection.UNKNOWN : end.address();
            case VLAN, IP, PORT, SPORT, DPORT -> throw wrong("no end owns a " + kind.text() + ": name the old one");
        };
        if (old == CapturedConnection.UNKNOWN) {
            throw wrong("the capture does not tell the " + kind.text() + " of its " + name);
        }
        return new NumberRule(
                kind, false, old, newValue, kind.isHosted() ? end.gid() : null, kind == MapKind.PSN ? flow : null);
    }

    private long value(MapKind kind, String text) {
        if (kind == MapKind.VLAN && text.equals(NO_VLAN)) {
            return -1;
        }
        if (kind.isMac()) {
            return mac(kind, text);
        }
        long value = kind.bits() == Long.SIZE ? wide(kind, text) : unsigned(text);
        boolean isLast = kind == MapKind.VLAN && value == 0xFFF; // reserved
        if (kind.bits() < Long.SIZE && (value < 0 || value >>> kind.bits() != 0 || isLast)) {
            throw wrong("'" + text + "' is no " + kind.form());
        }
        return value;
    }

    private long mac(MapKind kind, String text) {
        if (!MAC.matcher(text).matches()) {
            throw wrong("'" + text + "' is no " + kind.form());
        }
        long mac = 0;
        for (String octet : text.split(":")) {
            mac = mac << 8 | Integer.parseInt(octet, 16);
        }
        return mac;
    }

    private long wide(MapKind kind, String text) {
        try {
            return text.startsWith("0x") ? Long.parseUnsignedLong(text.substring(2), 16) : Long.parseUnsignedLong(text);
        } catch (NumberFormatException _) {
            throw wrong("'" + text + "' is no " + kind.form());
        }
    }

    /** @return -1 for what is no number */
    private static long unsigned(String text) {
        try {
            return text.startsWith("0x") ? Long.parseLong(text.substring(2), 16) : Long.parseLong(text);
        } catch (NumberFormatException _) {
            return -1;
        }
    }

    private ToolException wrong(String why) {
        return new ToolException(ExitStatus.USAGE, "--map " + rule + ": " + why);
    }
}
