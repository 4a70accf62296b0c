package org.rdma4j.tools.conform.suite;

import java.util.List;
import java.util.function.BiFunction;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Responder;
import org.rdma4j.tools.conform.craft.Crafted;

/** ISO: what other connections of a device go through is not to be seen at one that is in order. */
final class IsoChecks {

    private static final int ROUNDS = 24;

    private IsoChecks() {}

    static List<Check> all() {
        return List.of(
                isolated(
                        "ISO-01",
                        "Losses of other connections cost a clean one nothing",
                        "three connections with a gap and duplicates in each round; on a fourth good WRITEs",
                        (peer, round) -> Shapes.packets(peer.good(round % 2 == 0 ? 3 : -1))),
                isolated(
                        "ISO-02",
                        "MigReq that goes to and fro on other connections costs a clean one nothing",
                        "three connections whose duplicates have MigReq 0 and 1 by turns; on a fourth good WRITEs",
                        (peer, round) -> Shapes.packets(peer.good(-1).migReq(round % 2 == 0))),
                isolated(
                        "ISO-03",
                        "Connections that end in errors cost a clean one nothing",
                        "three connections refused for their R_Keys, and more to them; on a fourth good WRITEs",
                        (peer, round) -> Shapes.packets(peer.good(round).rKey(0), peer.good(round))),
                isolated(
                        "ISO-05",
                        "A storm of bad packets costs a clean connection nothing",
                        "wrong ICRCs, TVer 1, another partition, a queue pair that nobody has; on a fourth good WRITEs",
                        (peer, round) -> Shapes.packets(
                                peer.good(0).icrcXor(1),
                                peer.good(0).version(1),
                                peer.good(0).pKey(0x9234),
                                peer.good(0).destQp(peer.connection().peerQpn() ^ 0x55_5555))));
    }

    private static Check isolated(
            String id, String title, String stimulus, BiFunction<Responder, Integer, Crafted[]> trouble) {
        return Check.responder(id, title)
                .clause("Lumina")
                .stimulus(stimulus)
                .answer("each good WRITE is acknowledged, in order, with its MSN; its bytes are in memory")
                .isolation((clean, others) -> {
                    for (int round = 0; round < ROUNDS; round++) {
                        for (Responder other : others) {
                            other.send(trouble.apply(other, round));
                        }
                        Crafted good = clean.good(round);
                        clean.send(good);
                        clean.expect(clean.ack(round).msn(clean.msn(round + 1)));
                        clean.memoryIs(0, good.bytes());
                    }
                    clean.alive(ROUNDS);
                });
    }
}
