package org.rdma4j.tools.decode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rdma4j.analysis.RecentMap;
import org.rdma4j.analysis.Severity;
import org.rdma4j.iwarp.capture.CapturedUnit;
import org.rdma4j.iwarp.capture.CrcVerdict;
import org.rdma4j.iwarp.wire.DdpControl;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.iwarp.wire.UntaggedHeader;
import org.rdma4j.wire.TcpEnds;
import org.rdma4j.wire.TcpFrame;

/** Looks at the units of all connections of a capture for what somebody should be told. */
final class IwarpFindings {

    private static final int MOST_DIRECTIONS = 16_384;

    /** What is known of one direction. */
    private static final class Direction {
        private final Map<Integer, Integer> messages = new HashMap<>(); // the newest MSN of each queue
        private boolean hasSent;
        private boolean mayStart; // by RFC 6581's peer-to-peer mode, or because it is the side that asked
    }

    /** The most recently used ones: a capture may hold any number of connections. */
    private final Map<TcpEnds, Direction> directions = new RecentMap<>(MOST_DIRECTIONS);

    List<IwarpFinding> of(TcpFrame tcp, List<CapturedUnit> units) {
        TcpEnds ends = tcp.ends();
        List<IwarpFinding> found = new ArrayList<>(0);
        for (CapturedUnit unit : units) {
            switch (unit) {
                case CapturedUnit.Setup setup -> look(ends, setup, found);
                case CapturedUnit.Fpdu fpdu -> look(ends, fpdu, found);
                case CapturedUnit.Lost _ -> {} // said by itself
            }
        }
        return found;
    }

    private Direction direction(TcpEnds ends) {
        return directions.computeIfAbsent(ends, any -> new Direction());
    }

    private void look(TcpEnds ends, CapturedUnit.Setup setup, List<IwarpFinding> found) {
        boolean isPeerToPeer = setup.data() != null && setup.data().peerToPeer();
        Direction fresh = new Direction(); // what was known is of an earlier connection of these ports
        fresh.mayStart = setup.fromInitiator() && !isPeerToPeer;
        directions.put(ends, fresh);
        if (setup.frame().rejected()) {
            found.add(new IwarpFinding(
                    Severity.WARNING, "MPA-07", "RFC 5044, 7.1.1", name(ends) + " rejects the connection"));
        }
    }

    private void look(TcpEnds ends, CapturedUnit.Fpdu fpdu, List<IwarpFinding> found) {
        Direction own = direction(ends);
        if (!own.hasSent) {
            own.hasSent = true;
            if (!fpdu.fromInitiator() && direction(ends.back()).mayStart && !direction(ends.back()).hasSent) {
                found.add(new IwarpFinding(
                        Severity.WARNING,
                        "MPA-09",
                        "RFC 5044, 7.1.2",
                        name(ends)
                                + " was asked for the connection and sends first: it shall wait for the other side's first"
                                + " FPDU; Linux' siw does not, and programs that speak first rely on that"));
            }
        }
        if (fpdu.crc() == CrcVerdict.WRONG) {
            found.add(new IwarpFinding(
                    Severity.ERROR,
                    "MPA-13",
                    "RFC 5044, 4.4",
                    "the CRC is wrong: nothing of the FPDU may be placed, and the connection ends"));
            return;
        }
        if (fpdu.ulpdu().byteSize() == 0 || IwarpText.isMalformed(fpdu)) {
            return;
        }
        if (!DdpControl.tagged(IwarpText.control(fpdu))) {
            lookAtOrder(ends, own, UntaggedHeader.parse(fpdu.ulpdu(), 0), found);
        }
        if (IwarpText.opcode(fpdu) == RdmapOpcode.TERMINATE) {
            found.add(new IwarpFinding(
                    Severity.ERROR,
                    "TRM-01",
                    "RFC 5040, 4.8",
                    name(ends) + " ends the connection: " + String.join("  ", IwarpText.details(fpdu))));
        }
    }

    /** Messages of a queue count from 1, by one (RFC 5041, 5.3); pieces of one share its number. */
    private static void lookAtOrder(TcpEnds ends, Direction own, UntaggedHeader header, List<IwarpFinding> found) {
        int msn = header.messageSequenceNumber();
        int before = own.messages.getOrDefault(header.queueNumber(), 0);
        own.messages.put(header.queueNumber(), msn);
        boolean goesOn = msn == before && header.messageOffset() != 0;
        if (!goesOn && msn != before + 1) {
            found.add(new IwarpFinding(
                    Severity.ERROR,
                    "DDP-08",
                    "RFC 5041, 5.3",
                    "queue " + Integer.toUnsignedString(header.queueNumber()) + " of what " + name(ends)
                            + " sends goes from MSN " + Integer.toUnsignedString(before) + " to "
                            + Integer.toUnsignedString(msn)));
        }
    }

    private static String name(TcpEnds ends) {
        return IwarpLine.end(ends.from(), ends.fromPort());
    }
}
