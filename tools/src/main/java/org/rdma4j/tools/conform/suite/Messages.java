package org.rdma4j.tools.conform.suite;

import java.util.ArrayList;
import java.util.List;
import org.rdma4j.tools.conform.check.Outcome;
import org.rdma4j.tools.conform.check.Responder;
import org.rdma4j.tools.conform.craft.Crafted;
import org.rdma4j.tools.conform.craft.Expected;
import org.rdma4j.tools.conform.craft.Seen;
import org.rdma4j.wire.Opcode;

/** Whole messages, and what several checks expect alike. */
final class Messages {

    private Messages() {}

    /** A WRITE of so many bytes; its last packet asks for an ACK. */
    static Crafted[] write(Responder peer, int place, int length) {
        int last = (length - 1) / peer.mtu();
        if (last == 0) {
            return new Crafted[] {peer.writeOnly(place, length).ackReq()};
        }
        List<Crafted> packets = new ArrayList<>(List.of(peer.writeFirst(place, length)));
        for (int index = 1; index < last; index++) {
            packets.add(peer.writeMiddle(place + index));
        }
        packets.add(peer.writeLast(place + last, length - last * peer.mtu()).ackReq());
        return packets.toArray(Crafted[]::new);
    }

    /** A SEND of so many bytes; its last packet asks for an ACK. */
    static Crafted[] send(Responder peer, int place, int length) {
        int last = Math.max(0, length - 1) / peer.mtu();
        if (last == 0) {
            return new Crafted[] {peer.sendOnly(place, length).ackReq()};
        }
        List<Crafted> packets = new ArrayList<>(List.of(peer.sendFirst(place)));
        for (int index = 1; index < last; index++) {
            packets.add(peer.sendMiddle(place + index));
        }
        packets.add(peer.sendLast(place + last, length - last * peer.mtu()).ackReq());
        return packets.toArray(Crafted[]::new);
    }

    /** ACKs may come for what is before; the last one is this. */
    static void expectLast(Responder peer, Expected last) {
        Seen packet = peer.next();
        while (last.mismatch(packet.packet()) != null) {
            if (packet.opcode() != Opcode.RC_ACKNOWLEDGE) {
                throw new Outcome.Failed("due was: " + last + "; the peer sent " + peer.describe(packet));
            }
            Seen following = peer.next(peer.connection().timing().answer());
            if (following == null) {
                throw new Outcome.Failed("due was: " + last + "; the last that the peer sent is "
                        + peer.describe(packet) + ": " + last.mismatch(packet.packet()));
            }
            packet = following;
        }
    }

    /** At least one packet comes, and each that comes is this. @return how many */
    static int expectOnlyDuplicates(Responder peer, Expected each) {
        peer.expect(each);
        int count = 1;
        for (Seen packet : peer.rest()) {
            String mismatch = each.mismatch(packet.packet());
            if (mismatch != null) {
                throw new Outcome.Failed(
                        "only duplicates of " + each + " were due; the peer sent " + peer.describe(packet));
            }
            count++;
        }
        return count;
    }
}
