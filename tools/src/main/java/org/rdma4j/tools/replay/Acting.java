package org.rdma4j.tools.replay;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.link.Links;
import org.rdma4j.link.tap.PcapngTap;
import org.rdma4j.tools.DeviceArgument;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;
import org.rdma4j.tools.conform.craft.Wire;
import org.rdma4j.tools.exchange.ExchangeChannel;
import org.rdma4j.tools.exchange.ExchangeListener;
import org.rdma4j.wire.Gid;

/**
 * One side of a captured connection against a live peer, and the report of what the peer did otherwise.
 *
 * @param device the one that packets are sent from; {@code null} for the one that leads to the peer
 * @param host the server to connect to; {@code null} to wait for a client
 * @param port of the exchange over TCP
 * @param trace a capture of what crosses the wire now; {@code null} for none
 * @param patience nanoseconds that the peer may take for an answer
 * @param around what stands between the link and who acts: in tests, what makes a mutant of the peer
 */
record Acting(
        Role role,
        String device,
        String host,
        int port,
        int udpPort,
        Path trace,
        Set<Ignored> ignored,
        Pacing pacing,
        long patience,
        UnaryOperator<Link> around) {

    /** Of a connection's differences. */
    private static final int MOST_LINES = 100;

    /** @return how many differences there are */
    int run(CaptureFile file, Survey survey, CapturedConnection chosen, Mapping extra, PrintWriter out)
            throws IOException {
        try (PcapngTap tap = trace == null ? null : PcapngTap.create(trace);
                Wire wire = wire(tap)) {
            Script script = Script.of(
                    file,
                    survey,
                    chosen,
                    role,
                    udpPort,
                    connection -> new Part(connection, role, wire.open(), ignored));
            try (Introduction introduction = introduction(chosen, script, wire, out)) {
                Act act = new Act(script, introduction, extra, udpPort, pacing, patience);
                act.play();
                return report(script, act, out);
            }
        }
    }

    private Introduction introduction(CapturedConnection chosen, Script script, Wire wire, PrintWriter out) {
        if (!chosen.isByCm()) {
            return new TcpIntroduction(channel(out), script.parts(), wire.gid());
        }
        if (role == Role.SERVER) {
            out.println("Waiting for client of rdma_cm");
            out.flush();
        }
        return new CmIntroduction(wire, script.parts().getFirst(), host == null ? null : Gid.of(address()));
    }

    private Wire wire(PcapngTap tap) throws IOException {
        Link link = around.apply(Links.open(deviceName(), new LinkOptions(udpPort, 0, "", false)));
        return tap == null ? Wire.driven(link) : Wire.driven(link, tap.of(link.name()));
    }

    private String deviceName() {
        if (device != null) {
            return device;
        }
        if (host == null) {
            return DeviceArgument.NEAR;
        }
        return DeviceArgument.towards(address());
    }

    private InetAddress address() {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new ToolException(ExitStatus.FAILED, "no host is called " + host, e);
        }
    }

    private ExchangeChannel channel(PrintWriter out) {
        if (role == Role.CLIENT) {
            return ExchangeChannel.connect(host, port);
        }
        try (ExchangeListener listener = ExchangeListener.listen(port)) {
            out.println("Waiting for client on TCP port " + listener.port());
            out.flush();
            return listener.accept();
        }
    }

    private int report(Script script, Act act, PrintWriter out) {
        int differences = 0;
        act.notes().forEach(note -> out.println("note: " + note));
        for (Part part : script.parts()) {
            String name = "connection " + part.connection().number();
            List<String> lines = part.answers().differences();
            lines.stream().limit(MOST_LINES).forEach(line -> out.println(name + ", " + line));
            if (lines.size() > MOST_LINES) {
                out.println(name + ": and " + (lines.size() - MOST_LINES) + " differences more");
            }
            differences += lines.size();
            out.println(name + " as " + role.text() + ": " + part.sent() + " packets sent"
                    + (part.damaged() > 0 ? ", " + part.damaged() + " of them damaged as they were" : "")
                    + "; of " + part.answers().count() + " things that the peer had to say "
                    + (lines.isEmpty() ? "all are" : "not all are") + " as in the capture");
        }
        out.flush();
        return differences;
    }
}
