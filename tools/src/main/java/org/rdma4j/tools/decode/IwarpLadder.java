package org.rdma4j.tools.decode;

import java.util.List;
import java.util.Locale;
import org.rdma4j.iwarp.capture.CapturedUnit;
import org.rdma4j.iwarp.capture.CrcVerdict;
import org.rdma4j.iwarp.wire.DdpControl;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.iwarp.wire.TaggedHeader;
import org.rdma4j.iwarp.wire.UntaggedHeader;
import org.rdma4j.trace.Ladder;
import org.rdma4j.trace.LadderPainter;
import org.rdma4j.trace.LadderPainter.Head;
import org.rdma4j.trace.LadderPainter.Kind;
import org.rdma4j.wire.TcpFrame;

/** Draws units of iWARP as arrows of a ladder: the side that asked for the connection stands on the left. */
public final class IwarpLadder {

    private static final List<String> HEADINGS = List.of("to queue", "MSN");

    private final Ladder ladder;

    public IwarpLadder(Ladder ladder) {
        this.ladder = ladder;
    }

    /**
     * Draws one.
     *
     * @param number of the frame by which it became whole; 0 where frames have none
     * @param nanos when that was seen
     */
    public void unit(long number, long nanos, TcpFrame tcp, CapturedUnit unit) {
        String from = IwarpLine.end(tcp.source(), tcp.sourcePort());
        String to = IwarpLine.end(tcp.destination(), tcp.destinationPort());
        boolean rightward = unit.fromInitiator();
        ladder.between(new Ladder.Sides(rightward ? from : to, rightward ? to : from, HEADINGS));
        switch (unit) {
            case CapturedUnit.Setup setup ->
                arrow(number, nanos, unit, Kind.MANAGEMENT, Head.TAKEN, "", IwarpText.setup(setup));
            case CapturedUnit.Fpdu fpdu -> fpdu(number, nanos, fpdu);
            case CapturedUnit.Lost lost -> ladder.note("cannot be followed any more: " + lost.reason());
        }
    }

    private void fpdu(long number, long nanos, CapturedUnit.Fpdu fpdu) {
        Head head = fpdu.crc() == CrcVerdict.WRONG ? Head.REFUSED : Head.TAKEN;
        if (fpdu.ulpdu().byteSize() == 0) {
            arrow(number, nanos, fpdu, Kind.MANAGEMENT, head, "", List.of());
        } else if (IwarpText.isMalformed(fpdu)) {
            arrow(number, nanos, fpdu, Kind.REQUEST, Head.REFUSED, "", List.of(IwarpText.tooShort(fpdu)));
        } else {
            arrow(number, nanos, fpdu, kind(fpdu), head, columns(fpdu), IwarpText.details(fpdu));
        }
        if (fpdu.crc() == CrcVerdict.WRONG) {
            ladder.below("the CRC is wrong");
        }
    }

    private void arrow(
            long number, long nanos, CapturedUnit unit, Kind kind, Head head, String columns, List<String> facts) {
        String name = IwarpText.name(unit);
        ladder.arrow(new LadderPainter.Arrow(
                number,
                ladder.micros(nanos),
                name.startsWith("RDMAP ") ? name.substring("RDMAP ".length()) : name,
                unit.fromInitiator(),
                false,
                kind,
                head,
                columns,
                facts));
    }

    private static Kind kind(CapturedUnit.Fpdu fpdu) {
        return switch (IwarpText.opcode(fpdu)) {
            case RdmapOpcode.READ_RESPONSE, RdmapOpcode.ATOMIC_RESPONSE -> Kind.RESPONSE;
            case RdmapOpcode.TERMINATE -> Kind.NAK;
            default -> Kind.REQUEST;
        };
    }

    /** Queue and message, or the buffer's key. */
    private static String columns(CapturedUnit.Fpdu fpdu) {
        if (DdpControl.tagged(IwarpText.control(fpdu))) {
            return String.format(Locale.ROOT, " %08x      -  ", TaggedHeader.sTag(fpdu.ulpdu(), 0));
        }
        UntaggedHeader header = UntaggedHeader.parse(fpdu.ulpdu(), 0);
        return String.format(
                Locale.ROOT,
                " %-8s %6s  ",
                "QN" + header.queueNumber(),
                Integer.toUnsignedString(header.messageSequenceNumber()));
    }
}
