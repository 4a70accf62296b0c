package org.rdma4j.tools.sim;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rdma4j.ibsim.door.Door;
import org.rdma4j.ibsim.fabric.Fabric;
import org.rdma4j.ibsim.fabric.Node;
import org.rdma4j.ibsim.fabric.Port;
import org.rdma4j.ibsim.fabric.Switch;
import org.rdma4j.ibsim.fabric.TopologyException;
import org.rdma4j.ibsim.traffic.Traffic;
import org.rdma4j.link.LinkException;

/** The commands of a served fabric, one a line, after ibsim's console. A wrong one is told in a line and changes nothing. */
final class Console implements Runnable {

    private static final String HELP = """
            Dump ["node"]            nodes, or the ports of one: state, LID, peer
            Unlink "node"[port]      pulls a cable
            Link "node"[port]        puts it back; Link "node"[port] "node"[port] makes a new one
            ReLink                   puts back all that were pulled
            Error "node"[port] RATE  flips bits of what the port sends, RATE of them
            Guid "node"              its GUIDs
            Traffic PATTERN          moves data between all hosts: %s
            Quit""".formatted(TrafficPattern.FORMS);

    private static final Pattern PORT = Pattern.compile("\"([^\"]+)\"\\s*\\[(\\d{1,3})]");
    private static final Pattern NODE = Pattern.compile("\"([^\"]+)\"");
    private static final long TRAFFIC_LIMIT = 10_000_000_000_000L;

    private final Fabric fabric;
    private final Door door;
    private final long seed;
    private final BufferedReader in;
    private final PrintWriter out;
    private final Map<Port, Port> pulled = new HashMap<>();

    Console(Fabric fabric, Door door, long seed, InputStream in, PrintWriter out) {
        this.fabric = fabric;
        this.door = door;
        this.seed = seed;
        this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        this.out = out;
    }

    /** Reads commands to the end of the input; the fabric is served on behind it. */
    @Override
    public void run() {
        try {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String command = line.strip();
                if (!command.isEmpty() && !command.startsWith("#")) {
                    door.run(() -> execute(command));
                }
            }
        } catch (IOException e) {
            out.println("no more commands: " + e.getMessage());
            out.flush();
        }
    }

    void execute(String line) {
        String[] words = line.split("\\s+", 2);
        String rest = words.length > 1 ? words[1].strip() : "";
        try {
            switch (words[0].toLowerCase(Locale.ROOT)) {
                case "dump" -> dump(rest);
                case "unlink" -> unlink(port(rest, 0));
                case "link" -> link(rest);
                case "relink" -> Map.copyOf(pulled).keySet().forEach(this::restore);
                case "error" -> error(rest);
                case "guid" -> guid(node(rest));
                case "traffic" -> traffic(rest);
                case "help", "?" -> out.println(HELP);
                case "quit" -> door.stop();
                default -> throw new TopologyException("\"" + words[0] + "\" is no command; help lists them");
            }
        } catch (TopologyException e) {
            out.println(e.getMessage());
        }
        out.flush();
    }

    private Node node(String text) {
        Matcher matcher = NODE.matcher(text);
        if (!matcher.find()) {
            throw new TopologyException("\"" + text + "\": a node is named in quotes, such as \"S-1\"");
        }
        return fabric.node(matcher.group(1));
    }

    private Port port(String text, int which) {
        Matcher matcher = PORT.matcher(text);
        for (int skip = 0; skip <= which; skip++) {
            if (!matcher.find()) {
                throw new TopologyException("\"" + text + "\": a port is named so: \"S-1\"[2]");
            }
        }
        Node node = fabric.node(matcher.group(1));
        int number = Integer.parseInt(matcher.group(2));
        if (number == 0 || !node.hasPort(number)) {
            throw new TopologyException("\"" + node.name() + "\" has ports 1 to " + node.portCount());
        }
        return node.port(number);
    }

    private void dump(String rest) {
        if (rest.isEmpty()) {
            for (Node node : fabric.nodes()) {
                out.printf("%s \"%s\" 0x%016x%n", node instanceof Switch ? "Switch" : "Ca", node.name(), node.guid());
            }
            return;
        }
        Node node = node(rest);
        for (int number = 0; number <= node.portCount(); number++) {
            if (node.hasPort(number)) {
                Port port = node.port(number);
                out.printf(
                        "%s lid %d %s%s, sent %d packets, received %d%n",
                        port,
                        port.settings().lid(),
                        port.state(),
                        port.peer() == null ? "" : " to " + port.peer(),
                        port.counters().xmitPackets,
                        port.counters().rcvPackets);
            }
        }
    }

    private void unlink(Port port) {
        if (port.peer() == null) {
            throw new TopologyException(port + " has no cable");
        }
        pulled.put(port, port.peer());
        pulled.put(port.peer(), port);
        fabric.disconnect(port);
    }

    private void link(String rest) {
        Port port = port(rest, 0);
        if (PORT.matcher(rest).results().count() > 1) {
            fabric.connect(port, port(rest, 1));
        } else if (pulled.containsKey(port)) {
            restore(port);
        } else {
            throw new TopologyException(port + " has lost no cable");
        }
    }

    private void restore(Port port) {
        Port peer = pulled.remove(port);
        if (peer != null) {
            pulled.remove(peer);
            fabric.connect(port, peer);
        }
    }

    private void error(String rest) {
        Port port = port(rest, 0);
        String rate = rest.substring(rest.indexOf(']') + 1).strip();
        try {
            fabric.bitErrors().set(port, Double.parseDouble(rate));
        } catch (NumberFormatException e) {
            throw new TopologyException("\"" + rate + "\" is no bit error rate, such as 1e-6");
        }
    }

    private void guid(Node node) {
        out.printf("\"%s\" 0x%016x%n", node.name(), node.guid());
        for (int number = 1; number <= node.portCount(); number++) {
            out.printf("[%d] 0x%016x%n", number, node.port(number).guid());
        }
    }

    private void traffic(String pattern) {
        TrafficPattern what = TrafficPattern.of(pattern);
        try (Traffic traffic = new Traffic(fabric, seed)) {
            what.start(traffic);
            String ending = traffic.run(TRAFFIC_LIMIT) ? "" : " in time";
            if (!traffic.creditLoop().isEmpty()) {
                ending = "; a credit loop: " + String.join(", ", traffic.creditLoop());
            }
            out.printf("%d of %d streams finished%s%n", traffic.finished(), traffic.streams(), ending);
        } catch (LinkException e) {
            throw new TopologyException(e.getMessage());
        }
    }
}
