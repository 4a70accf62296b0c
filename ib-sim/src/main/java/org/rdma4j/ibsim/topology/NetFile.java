package org.rdma4j.ibsim.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rdma4j.ibsim.fabric.Fabric;
import org.rdma4j.ibsim.fabric.LinkSpeed;
import org.rdma4j.ibsim.fabric.LinkWidth;
import org.rdma4j.ibsim.fabric.Node;
import org.rdma4j.ibsim.fabric.Port;
import org.rdma4j.ibsim.fabric.Switch;
import org.rdma4j.ibsim.fabric.TopologyException;

/**
 * The topology file of {@code ibsim}, which is what {@code ibnetdiscover} prints:
 *
 * <pre>{@code
 * switchguid=0x200000
 * Switch 4 "S-1"     # "the name that it tells"
 * [1] "H-1"[1]       # 4xQDR
 *
 * Hca 1 "H-1"
 * [1] "S-1"[1]
 * }</pre>
 *
 * A cable may stand at one of its ends or at both. {@code w=4} and {@code s=QDR} behind a cable set its width and speed.
 */
public final class NetFile {

    private static final Pattern NODE =
            Pattern.compile("(Switch|Hca|Ca)\\s+(\\d+)\\s+\"([^\"]+)\"\\s*(?:#\\s*\"([^\"]*)\".*|#.*)?");
    private static final Pattern CABLE = Pattern.compile(
            "\\[(\\d+)](?:\\[ext \\d+])?(?:\\([0-9a-fA-F]+\\))?\\s+\"([^\"]+)\"\\s*\\[(\\d+)](?:\\([0-9a-fA-F]+\\))?(.*)");
    private static final Pattern GUID = Pattern.compile("(?:switch|ca)guid=0x([0-9a-fA-F]{1,16}).*");
    private static final Pattern IGNORED =
            Pattern.compile("(?:vendid|devid|sysimgguid|rtguid)=.*|Generated.*|Initiated.*");
    private static final Pattern WIDTH = Pattern.compile("\\bw=(\\d+)|\\b(\\d+)x(?=[A-Z])");
    private static final Pattern SPEED = Pattern.compile("\\bs=([A-Z]+)|\\dx([A-Z]+)");

    private record Cable(int line, Node node, int port, String peer, int peerPort, LinkWidth width, LinkSpeed speed) {}

    private final Fabric fabric;
    private final List<Cable> cables = new ArrayList<>();
    private Node current;
    private long guid;

    private NetFile(Fabric fabric) {
        this.fabric = fabric;
    }

    /**
     * Adds what a file describes to a fabric.
     *
     * @throws TopologyException with the line's number
     */
    public static void read(Iterable<String> lines, Fabric fabric) {
        NetFile file = new NetFile(fabric);
        int number = 0;
        for (String line : lines) {
            number++;
            int at = number;
            inLine(at, () -> file.line(at, line.strip()));
        }
        for (Cable cable : file.cables) {
            inLine(cable.line, () -> file.connect(cable));
        }
    }

    private static void inLine(int number, Runnable step) {
        try {
            step.run();
        } catch (TopologyException e) {
            throw new TopologyException("line " + number + ": " + e.getMessage());
        }
    }

    private void line(int number, String line) {
        Matcher node = NODE.matcher(line);
        Matcher cable = CABLE.matcher(line);
        Matcher named = GUID.matcher(line);
        if (line.isEmpty()) {
            current = null;
        } else if (node.matches()) {
            int ports = intOf(node.group(2));
            current = node.group(1).equals("Switch")
                    ? fabric.addSwitch(node.group(3), guid, ports)
                    : fabric.addChannelAdapter(node.group(3), guid, ports);
            if (node.group(4) != null) {
                current.setDescription(node.group(4));
            }
            guid = 0;
        } else if (cable.matches()) {
            add(number, cable);
        } else if (named.matches()) {
            guid = Long.parseUnsignedLong(named.group(1), 16);
        } else if (!line.startsWith("#") && !IGNORED.matcher(line).matches()) {
            throw new TopologyException("\"" + line + "\" is neither a node nor a cable");
        }
    }

    private static int intOf(String digits) {
        return digits.length() > 6 ? Integer.MAX_VALUE : Integer.parseInt(digits);
    }

    private void add(int number, Matcher cable) {
        if (current == null) {
            throw new TopologyException("a cable without a node above it");
        }
        int port = intOf(cable.group(1));
        if (port == 0 && current instanceof Switch) {
            return; // ibnetdiscover may tell of port 0, which has no cable
        }
        cables.add(new Cable(
                number,
                current,
                port,
                cable.group(2),
                intOf(cable.group(3)),
                width(cable.group(4)),
                speed(cable.group(4))));
    }

    private static LinkWidth width(String rest) {
        Matcher matcher = WIDTH.matcher(rest);
        if (!matcher.find()) {
            return LinkWidth.X4;
        }
        int lanes = intOf(matcher.group(1) != null ? matcher.group(1) : matcher.group(2));
        for (LinkWidth width : LinkWidth.values()) {
            if (width.lanes() == lanes) {
                return width;
            }
        }
        throw new TopologyException("a link of " + lanes + " lanes; 1, 4, 8 and 12 are possible");
    }

    private static LinkSpeed speed(String rest) {
        Matcher matcher = SPEED.matcher(rest);
        if (!matcher.find()) {
            return LinkSpeed.SDR;
        }
        String name = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
        for (LinkSpeed speed : LinkSpeed.values()) {
            if (speed.name().equals(name)) {
                return speed;
            }
        }
        throw new TopologyException("there is no link speed " + name + "; SDR, DDR, QDR, FDR, EDR, HDR and NDR are");
    }

    private void connect(Cable cable) {
        Port here = port(cable.node, cable.port);
        Port there = port(fabric.node(cable.peer), cable.peerPort);
        if (here.peer() == there && here != there) {
            return; // its other end has told of it
        }
        here.setRate(cable.speed, cable.width);
        there.setRate(cable.speed, cable.width);
        fabric.connect(here, there);
    }

    private static Port port(Node node, int number) {
        if (number == 0 || !node.hasPort(number)) {
            throw new TopologyException(
                    "\"" + node.name() + "\" has ports 1 to " + node.portCount() + ", not " + number);
        }
        return node.port(number);
    }

    /** A fabric in the same format. */
    public static String write(Fabric fabric) {
        StringBuilder text = new StringBuilder();
        for (Node node : fabric.nodes()) {
            boolean isSwitch = node instanceof Switch;
            text.append(isSwitch ? "switchguid=0x" : "caguid=0x")
                    .append(Long.toHexString(node.guid()))
                    .append('\n')
                    .append(isSwitch ? "Switch\t" : "Ca\t")
                    .append(node.portCount())
                    .append(" \"")
                    .append(node.name())
                    .append("\"\t\t# \"")
                    .append(node.description())
                    .append("\"\n");
            for (int number = 1; number <= node.portCount(); number++) {
                Port port = node.port(number);
                if (port.peer() != null) {
                    text.append('[')
                            .append(number)
                            .append("]\t\"")
                            .append(port.peer().node().name())
                            .append("\"[")
                            .append(port.peer().number())
                            .append("]\t\t# ")
                            .append(port.settings().width().lanes())
                            .append('x')
                            .append(port.settings().speed())
                            .append('\n');
                }
            }
            text.append('\n');
        }
        return text.toString();
    }
}
