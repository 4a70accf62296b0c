package org.rdma4j.tools.conform.suite;

import java.util.function.Function;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Responder;
import org.rdma4j.tools.conform.check.Service;
import org.rdma4j.tools.conform.craft.Crafted;
import org.rdma4j.tools.conform.craft.Expected;
import org.rdma4j.tools.conform.craft.Seen;

/** Checks of the same shape: one packet, and what it gets. */
final class Shapes {

    private Shapes() {}

    /** The packet at place 0 is dropped without a word, and the PSN is still expected. */
    static Check dropped(String id, String title, String clause, String stimulus, Function<Responder, Crafted> packet) {
        return Check.responder(id, title)
                .clause(clause)
                .stimulus(stimulus)
                .answer("nothing; the PSN is still expected")
                .story(peer -> {
                    peer.send(packet.apply(peer));
                    peer.silence();
                    peer.alive(0);
                });
    }

    /** The packet at place 0, a small WRITE that asks, is taken. */
    static Check taken(String id, String title, String clause, String stimulus, Function<Responder, Crafted> packet) {
        return Check.responder(id, title)
                .clause(clause)
                .stimulus(stimulus)
                .answer("its ACK; its bytes are in memory")
                .story(peer -> {
                    Crafted sent = packet.apply(peer);
                    peer.send(sent);
                    peer.expect(peer.ack(0).msn(peer.msn(1)));
                    peer.memoryIs(0, sent.bytes());
                    peer.alive(1);
                });
    }

    /** The packets get this NAK, and the queue pair has ended. */
    static Check refused(
            String id,
            String title,
            String clause,
            Service service,
            String stimulus,
            Function<Responder, Expected> nak,
            Function<Responder, Crafted[]> packets) {
        return Check.responder(id, title)
                .clause(clause)
                .on(service)
                .stimulus(stimulus)
                .answer("a NAK that ends the connection, then silence")
                .story(peer -> {
                    peer.send(packets.apply(peer));
                    peer.refused(nak.apply(peer).msn(peer.msn(0)));
                });
    }

    /**
     * What a packet gets that may be dropped.
     *
     * @return {@code null} where it was dropped: a duplicate that was sent behind it has got its ACK, so this one has been
     *     looked at, however busy the peer is
     */
    static Seen firstAnswer(Responder peer) {
        Seen answer = peer.next(peer.connection().timing().quiet());
        if (answer != null) {
            return answer;
        }
        peer.send(peer.good(-1));
        answer = peer.next();
        if (peer.ack(-1).mismatch(answer.packet()) == null) {
            return null;
        }
        peer.rest(); // the duplicate's, where the two were not answered as one
        return answer;
    }

    static Crafted[] packets(Crafted... packets) {
        return packets;
    }
}
