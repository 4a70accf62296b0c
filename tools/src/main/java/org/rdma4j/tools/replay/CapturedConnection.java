package org.rdma4j.tools.replay;

import java.util.Locale;
import org.rdma4j.analysis.Announcement;
import org.rdma4j.analysis.Flow;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.IpText;
import org.rdma4j.wire.Opcode;

/**
 * A connection that a capture holds: the requests of one end or of both, and the numbers that belong to them.
 *
 * @param number from 1 on, in the order in which they began
 * @param client the end that sought the other one; where no exchange says that, the one whose requests came first
 * @param server the other end
 * @param said what told the numbers, {@code "CM"}, {@code "perftest"}, {@code "pingpong"}; {@code null} for nothing but
 *     the packets themselves
 * @param clientFlow the client's requests; {@code null} where there are none
 * @param serverFlow the server's requests; {@code null} where there are none
 */
record CapturedConnection(int number, End client, End server, String said, Flow clientFlow, Flow serverFlow) {

    /** What is not known of an end. */
    static final int UNKNOWN = -1;

    /**
     * One end.
     *
     * @param qpn its queue pair, or {@link #UNKNOWN}
     * @param psn the first one that it sends, or {@link #UNKNOWN}
     * @param rKey of the memory that its peer may use; 0 where nothing told it
     * @param address where that memory begins
     */
    record End(Gid gid, int qpn, int psn, int rKey, long address) {

        String text() {
            String host = IpText.of(gid.toAddress());
            return qpn == UNKNOWN ? host : String.format(Locale.ROOT, "%s QP 0x%06x", host, qpn);
        }
    }

    /** The connection of a flow and of the one that goes the other way, or of the first alone. */
    static CapturedConnection of(int number, Flow first, Flow second) {
        Announcement told = announcement(first);
        Announcement toldBack = announcement(second);
        End sender = new End(first.from(), senderQp(first), first.firstPsn(), rKey(toldBack), address(toldBack));
        End receiver = new End(
                first.to(), first.destQp(), second == null ? UNKNOWN : second.firstPsn(), rKey(told), address(told));
        boolean isFromClient = told != null ? told.fromClient() : toldBack == null || !toldBack.fromClient();
        String said = told != null ? told.said() : toldBack != null ? toldBack.said() : null;
        return isFromClient
                ? new CapturedConnection(number, sender, receiver, said, first, second)
                : new CapturedConnection(number, receiver, sender, said, second, first);
    }

    /** Whether two flows are the two ways of one connection. */
    static boolean areOfOne(Flow flow, Flow other) {
        boolean mirrored =
                flow.from().equals(other.to()) && flow.to().equals(other.from()) && flow.service() == other.service();
        int own = senderQp(flow);
        int others = senderQp(other);
        return mirrored && own == other.destQp() && (others == flow.destQp() || others == UNKNOWN);
    }

    private static int senderQp(Flow flow) {
        return flow.service() == Opcode.UD ? flow.sourceQp() : flow.answerQp();
    }

    private static Announcement announcement(Flow flow) {
        return flow == null ? null : flow.announcement();
    }

    private static int rKey(Announcement told) {
        return told == null ? 0 : told.rKey();
    }

    private static long address(Announcement told) {
        return told == null ? 0 : told.address();
    }

    int service() {
        return (clientFlow != null ? clientFlow : serverFlow).service();
    }

    /** Whether connection management made it. */
    boolean isByCm() {
        return "CM".equals(said);
    }

    boolean has(Flow flow) {
        return flow != null && (flow == clientFlow || flow == serverFlow);
    }

    /** One line for a list. */
    String text() {
        String name = (clientFlow != null ? clientFlow : serverFlow).name();
        return String.format(
                Locale.ROOT,
                "%3d  %-3s  client %s, server %s, %s, %d packets",
                number,
                name.substring(0, name.indexOf(' ')),
                client.text(),
                server.text(),
                said == null ? "no exchange" : "by " + said,
                packets(clientFlow) + packets(serverFlow));
    }

    private static long packets(Flow flow) {
        return flow == null ? 0 : flow.figures().packets() + flow.figures().responses();
    }
}
