package org.rdma4j.tools.conform.report;

import java.util.List;
import org.rdma4j.iwarp.capture.CapturedConnections;
import org.rdma4j.iwarp.capture.CapturedUnit;
import org.rdma4j.tools.decode.IwarpLadder;
import org.rdma4j.trace.Ladder;
import org.rdma4j.wire.TcpFrame;
import org.rdma4j.wire.TcpHeader;

/** Draws what crossed a TCP connection: its units of iWARP, what is none, and how it ended. */
final class StreamLadder {

    private final Ladder ladder;
    private final IwarpLadder iwarp;
    private final CapturedConnections connections = new CapturedConnections();

    StreamLadder(Ladder ladder) {
        this.ladder = ladder;
        this.iwarp = new IwarpLadder(ladder);
    }

    void frame(long nanos, TcpFrame tcp) {
        List<CapturedUnit> units = connections.segment(tcp);
        units.forEach(unit -> iwarp.unit(0, nanos, tcp, unit));
        if (units.isEmpty() && tcp.payloadLength() > 0) {
            ladder.note(port(tcp) + " sends " + tcp.payloadLength() + " bytes that make no MPA frame and no FPDU");
        }
        if ((tcp.flags() & TcpHeader.RST) != 0) {
            ladder.note(port(tcp) + " breaks the connection (RST)");
        } else if ((tcp.flags() & TcpHeader.FIN) != 0) {
            ladder.note(port(tcp) + " ends its stream (FIN)");
        }
    }

    private static String port(TcpFrame tcp) {
        return "port " + tcp.sourcePort();
    }
}
