package org.rdma4j.tools.replay;

import java.io.IOException;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.rdma4j.analysis.Flow;
import org.rdma4j.pcap.CapturedPacket;
import org.rdma4j.pcap.LinkType;
import org.rdma4j.wire.EthernetHeader;
import org.rdma4j.wire.FrameParser;
import org.rdma4j.wire.Malformed;
import org.rdma4j.wire.OtherFrame;
import org.rdma4j.wire.ParsedFrame;
import org.rdma4j.wire.RoceFrame;
import org.rdma4j.wire.TcpFrame;

/** Sends the frames of a capture once more, one after the other, and counts what did not go. */
final class Reinjection {

    private final Survey survey;
    private final FrameRewriter rewriter;
    private final FrameOutput output;
    private final Selection selection;
    private final int udpPort;
    private final Map<String, Integer> left = new TreeMap<>(); // by reason
    private final Map<String, Integer> refused = new TreeMap<>();
    private int sent;
    private int damaged;

    /**
     * Which frames are sent.
     *
     * @param all those that are not RoCE, too
     * @param connection the packets of this one only; {@code null} for all
     */
    record Selection(boolean all, CapturedConnection connection) {}

    Reinjection(Survey survey, FrameRewriter rewriter, FrameOutput output, Selection selection, int udpPort) {
        this.survey = survey;
        this.rewriter = rewriter;
        this.output = output;
        this.selection = selection;
        this.udpPort = udpPort;
    }

    /** @return whether there is to be another one: yes */
    boolean frame(int number, CapturedPacket captured) throws IOException {
        Flow flow = survey.flow(number);
        if (selection.connection() != null && !selection.connection().has(flow)) {
            leave("of other connections");
            return true;
        }
        if (captured.cutShort()) {
            leave("cut short by the capture");
            return true;
        }
        ParsedFrame parsed = FrameParser.parse(captured.bytes(), 0, captured.length(), captured.linkType(), udpPort);
        Rewritten rewritten = rewrite(captured, parsed, flow);
        if (rewritten != null) {
            String reason = output.send(captured.timestamp(), rewritten);
            if (reason == null) {
                sent++;
                damaged += rewritten.icrcXor() == 0 ? 0 : 1;
            } else {
                refused.merge(reason, 1, Integer::sum);
            }
        }
        return true;
    }

    private Rewritten rewrite(CapturedPacket captured, ParsedFrame parsed, Flow flow) {
        boolean isEthernet = captured.linkType() == LinkType.ETHERNET && captured.length() >= EthernetHeader.LENGTH;
        boolean isWanted = selection.all() && isEthernet;
        String notRoce = selection.all() ? "not RoCE, without Ethernet header" : "not RoCE";
        return switch (parsed) {
            case RoceFrame roce when roce.encapsulation().isInfiniBand() -> leave("of native InfiniBand");
            case RoceFrame roce -> rewriter.roce(captured, roce, flow);
            case Malformed _ when isEthernet -> rewriter.other(captured);
            case Malformed _ -> leave("malformed, without Ethernet header");
            case TcpFrame tcp -> isWanted ? rewriter.tcp(captured, tcp) : leave(notRoce);
            case OtherFrame _ -> isWanted ? rewriter.other(captured) : leave(notRoce);
        };
    }

    private Rewritten leave(String why) {
        left.merge(why, 1, Integer::sum);
        return null;
    }

    /** In words, what went and what did not. */
    String summary() {
        StringBuilder text = new StringBuilder();
        text.append(sent).append(" of ").append(survey.frames()).append(" frames sent");
        if (damaged > 0) {
            text.append(", ").append(damaged).append(" of them damaged as they were");
        }
        if (!left.isEmpty()) {
            text.append("; left out: ").append(counts(left));
        }
        if (!refused.isEmpty()) {
            text.append("; not taken: ").append(counts(refused));
        }
        return text.toString();
    }

    private static String counts(Map<String, Integer> reasons) {
        StringJoiner joiner = new StringJoiner(", ");
        reasons.forEach((reason, count) -> joiner.add(count + " " + reason));
        return joiner.toString();
    }

    /** Whether all went out that should. */
    boolean isComplete() {
        return refused.isEmpty();
    }

    int sent() {
        return sent;
    }
}
