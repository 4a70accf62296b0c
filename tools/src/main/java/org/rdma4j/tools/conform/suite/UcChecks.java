package org.rdma4j.tools.conform.suite;

import static org.rdma4j.tools.conform.suite.Shapes.packets;

import java.util.List;
import java.util.function.Function;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Service;
import org.rdma4j.tools.conform.check.Setup;
import org.rdma4j.tools.conform.check.Unacked;
import org.rdma4j.tools.conform.check.Work;
import org.rdma4j.tools.conform.craft.Crafted;
import org.rdma4j.verbs.QpType;
import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.AtomicEth;
import org.rdma4j.wire.Ieth;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Syndrome;

/** UC: unreliable connections, where what cannot be taken is dropped without a word. */
final class UcChecks {

    private static final int IMMEDIATE = 0x0102_0304;

    private UcChecks() {}

    static List<Check> all() {
        return List.of(
                lost(
                        "UC-01a",
                        "Behind a gap the rest of a SEND is dropped",
                        Service.SEND,
                        "SEND FIRST, LAST; the MIDDLE between them is missing",
                        peer -> {
                            Crafted[] message = peer.message(0, 2 * peer.mtu() + 8);
                            return packets(message[0], message[2]);
                        },
                        3),
                lost(
                        "UC-01b",
                        "Behind a gap the rest of a WRITE is dropped",
                        Service.WRITE,
                        "WRITE FIRST, LAST; the MIDDLE between them is missing",
                        peer -> {
                            Crafted[] message = startedWrite(peer, 2 * peer.mtu() + 8);
                            return packets(message[0], message[2]);
                        },
                        3),
                lost(
                        "UC-01c",
                        "A packet that comes twice inside of a message is a gap",
                        Service.SEND,
                        "SEND FIRST, MIDDLE, the same MIDDLE, LAST",
                        peer -> {
                            Crafted[] message = peer.message(0, 2 * peer.mtu() + 8);
                            return packets(message[0], message[1], message[1], message[2]);
                        },
                        3),
                lost(
                        "UC-01d",
                        "Behind a gap nothing is taken until a message starts, though PSNs go on in order",
                        Service.SEND,
                        "SEND FIRST, the third MIDDLE, and LAST behind it",
                        peer -> {
                            Crafted[] message = peer.message(0, 4 * peer.mtu() + 8);
                            return packets(message[0], message[3], message[4]);
                        },
                        5),
                resumes(
                        "UC-02a",
                        "A message behind a gap is taken",
                        "SEND ONLY five PSNs ahead",
                        peer -> peer.message(5, 8),
                        6),
                resumes(
                        "UC-02b",
                        "A message of several packets behind a gap is taken",
                        "FIRST, MIDDLE, LAST of a SEND, far ahead",
                        peer -> peer.message(0x40_0000, 2 * peer.mtu() + 9),
                        0x40_0003),
                resumes(
                        "UC-02c",
                        "A message with a PSN of the past starts anew: it is no duplicate",
                        "SEND ONLY with the PSN of the one before",
                        peer -> peer.message(-1, 24),
                        0),
                uc("UC-03", "The receive of a message that broke off is the next one's, from its start")
                        .on(Service.SEND)
                        .stimulus("SEND FIRST, MIDDLE; then a short SEND ONLY")
                        .answer("the SEND ONLY is in the first receive, alone")
                        .unackedStory(peer -> {
                            Crafted[] message = peer.message(0, 2 * peer.mtu() + 8);
                            peer.send(message[0], message[1]);
                            peer.takes(peer.message(2, 24));
                            peer.alive(3);
                        }),
                lost(
                        "UC-04a",
                        "A MIDDLE that goes on with nothing is dropped",
                        Service.SEND,
                        "SEND MIDDLE",
                        peer -> packets(peer.message(-1, 2 * peer.mtu() + 8)[1]),
                        1),
                lost(
                        "UC-04b",
                        "A LAST that goes on with nothing is dropped",
                        Service.SEND,
                        "SEND LAST",
                        peer -> packets(peer.message(-2, 2 * peer.mtu() + 8)[2]),
                        1),
                lost(
                        "UC-04c",
                        "The end of a WRITE does not end a SEND",
                        Service.SEND,
                        "SEND FIRST, WRITE LAST",
                        peer -> packets(
                                peer.message(0, 2 * peer.mtu())[0],
                                peer.packet(Opcode.UC_RDMA_WRITE_LAST, 1).payload(8)),
                        2),
                uc("UC-04d", "A message that starts inside of another one takes its place")
                        .on(Service.SEND)
                        .stimulus("SEND FIRST; then FIRST, MIDDLE, LAST")
                        .answer("the second message is received")
                        .unackedStory(peer -> {
                            peer.send(peer.message(0, 2 * peer.mtu() + 8)[0]);
                            peer.takes(peer.message(1, 2 * peer.mtu() + 16));
                            peer.alive(4);
                        }),
                uc("UC-05a", "A SEND that finds no receive is dropped")
                        .on(Service.SEND)
                        .setup(Setup.STOCK.withReceives(1, Setup.RECEIVE_SIZE))
                        .stimulus("a SEND when no receive is posted; then a receive, and another SEND")
                        .answer("silence; the receive gets the second")
                        .unackedStory(peer -> {
                            peer.send(peer.good(0));
                            peer.ignored();
                            peer.inside().receive(peer.taken(), peer.receiveSize());
                            peer.alive(1);
                        }),
                lost(
                        "UC-05b",
                        "A WRITE with immediate that finds no receive is dropped",
                        Service.WRITE,
                        "WRITE ONLY with immediate; no receive is posted",
                        peer -> packets(peer.packet(Opcode.UC_RDMA_WRITE_ONLY_WITH_IMMEDIATE, 0, peer.reth(16))
                                .imm(IMMEDIATE)
                                .payload(peer.message(0, 16)[0].bytes())),
                        1),
                lost(
                        "UC-06a",
                        "A WRITE with a wrong R_Key is dropped",
                        Service.WRITE,
                        "WRITE ONLY, the R_Key's bits inverted",
                        peer -> packets(peer.good(0).rKey(~peer.connection().rKey())),
                        1),
                lost(
                        "UC-06b",
                        "A WRITE to where there is no memory is dropped",
                        Service.WRITE,
                        "WRITE ONLY, one TiB behind the memory",
                        peer -> packets(peer.good(0).moved(1L << 40)),
                        1),
                lost(
                        "UC-06c",
                        "A WRITE that says another length than it has is dropped",
                        Service.WRITE,
                        "WRITE ONLY of 8 bytes whose RETH says 12",
                        peer -> packets(peer.good(0).moved(-4).dmaLength(12)),
                        1),
                tooLongForItsReceive(),
                lost(
                        "UC-06e",
                        "A packet with more than the path MTU is dropped",
                        Service.SEND,
                        "SEND ONLY of the path MTU and 4 bytes",
                        peer -> packets(peer.packet(Opcode.UC_SEND_ONLY, 0).payload(peer.mtu() + 4)),
                        1),
                lost(
                        "UC-06f",
                        "A FIRST with less than the path MTU is dropped, and its message with it",
                        Service.SEND,
                        "SEND FIRST of the path MTU less 4 bytes, LAST",
                        peer -> packets(
                                peer.packet(Opcode.UC_SEND_FIRST, 0).payload(peer.mtu() - 4),
                                peer.packet(Opcode.UC_SEND_LAST, 1).payload(8)),
                        2),
                lost(
                        "UC-07a",
                        "UC has no READ",
                        Service.WRITE,
                        "a packet with the opcode UC would have for READ REQUEST",
                        peer -> packets(peer.packet(Opcode.UC | Opcode.RC_RDMA_READ_REQUEST, 0, peer.reth(8))),
                        1),
                lost(
                        "UC-07b",
                        "UC has no atomics",
                        Service.WRITE,
                        "a packet with the opcode UC would have for FETCH ADD",
                        peer -> packets(peer.packet(
                                Opcode.UC | Opcode.RC_FETCH_ADD,
                                0,
                                new AtomicEth(
                                        peer.connection().address(),
                                        peer.connection().rKey(),
                                        1,
                                        0))),
                        1),
                lost(
                        "UC-07c",
                        "UC has no SEND with Invalidate",
                        Service.SEND,
                        "a packet with the opcode UC would have for SEND ONLY with Invalidate",
                        peer -> packets(peer.packet(Opcode.UC | Opcode.RC_SEND_ONLY_WITH_INVALIDATE, 0, new Ieth(1))
                                .payload(8)),
                        1),
                lost(
                        "UC-07d",
                        "A READ request of RC is nothing to UC",
                        Service.WRITE,
                        "an RC READ REQUEST",
                        peer -> packets(peer.packet(Opcode.RC_RDMA_READ_REQUEST, 0, peer.reth(8))),
                        1),
                lost(
                        "UC-07e",
                        "Acknowledgements are nothing to UC",
                        Service.WRITE,
                        "an RC ACK and a NAK",
                        peer -> packets(
                                peer.packet(Opcode.RC_ACKNOWLEDGE, 0, new Aeth(Syndrome.ACK_UNLIMITED, 1)),
                                peer.packet(Opcode.RC_ACKNOWLEDGE, 0, new Aeth(Syndrome.NAK_REMOTE_ACCESS, 1))),
                        1),
                sent("UC-08a", "A WRITE is complete when it is on the wire", Work.Op.WRITE),
                sent("UC-08b", "A SEND is complete when it is on the wire", Work.Op.SEND));
    }

    private static Check uc(String id, String title) {
        return Check.responder(id, title).clause("9.8.2").over(QpType.UC);
    }

    /** What of a WRITE comes before the gap may be there already. */
    private static Crafted[] startedWrite(Unacked peer, int length) {
        Crafted[] message = peer.message(0, length);
        peer.placed(peer.size() - length, message[0].bytes());
        return message;
    }

    /** The packets are no message: nothing comes of them, and the next message is taken. */
    private static Check lost(
            String id, String title, Service service, String stimulus, Function<Unacked, Crafted[]> packets, int next) {
        return uc(id, title)
                .on(service)
                .stimulus(stimulus)
                .answer("silence, no message; the next one is taken, in the receive that was not used")
                .unackedStory(peer -> {
                    peer.send(packets.apply(peer));
                    peer.ignored();
                    peer.alive(next);
                });
    }

    private static Check resumes(
            String id, String title, String stimulus, Function<Unacked, Crafted[]> message, int next) {
        return uc(id, title)
                .on(Service.SEND)
                .stimulus(stimulus)
                .answer("it is received, and PSNs go on from it")
                .unackedStory(peer -> {
                    peer.takes(message.apply(peer));
                    peer.takes(peer.message(next, 2 * peer.mtu() + 8));
                    peer.alive(next + 3);
                });
    }

    private static Check tooLongForItsReceive() {
        return uc("UC-06d", "A SEND that is longer than its receive is not received")
                .clause("9.9.3")
                .on(Service.SEND)
                .stimulus("a SEND one path MTU longer than the receive")
                .answer("it is dropped; or the receive fails with LOC_LEN_ERR")
                .open("dropped", "the receive fails")
                .unackedStory(peer -> {
                    int length = Setup.RECEIVE_SIZE + peer.mtu();
                    int next = length / peer.mtu();
                    Crafted behind = peer.good(next);
                    peer.send(peer.message(0, length));
                    peer.send(behind);
                    String status = peer.failure();
                    if (status != null) {
                        peer.require("1".equals(status), "the receive failed with status " + status);
                        peer.records("the receive fails");
                        return;
                    }
                    peer.taken(behind);
                    peer.records("dropped");
                    peer.alive(next + 1);
                });
    }

    private static Check sent(String id, String title, Work.Op op) {
        return Check.requester(id, title)
                .clause("9.8.2")
                .over(QpType.UC)
                .work(op, 2, mtu -> 2 * mtu + 12)
                .stimulus("the peer sends two messages of three packets, and hears nothing")
                .answer("FIRST, MIDDLE, LAST twice, PSNs in order, no resend; both complete")
                .unackedPlay(peer -> {
                    peer.expectMessage(0);
                    peer.expectMessage(1);
                    peer.succeeds();
                });
    }
}
