package org.rdma4j.iwarp.rdmap;

import static org.junit.jupiter.api.Assertions.assertEquals;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.rdma4j.iwarp.memory.Cut;
import org.rdma4j.iwarp.mpa.CrcRule;
import org.rdma4j.iwarp.mpa.MpaSettings;
import org.rdma4j.verbs.QpState;

/** Random operations both ways over streams that are cut and merged at random: memory equals the model's. */
class StreamScheduleTest {

    private static final int OPERATIONS = 60;

    @Property(tries = 150)
    void memoryEqualsTheModels(@ForAll long seed) {
        try (World world = new World(seed)) {
            boolean extended = world.random.nextBoolean();
            world.withCut(Cut.random(world.random));
            world.left.withBuffer(400 + world.random.nextInt(60_000)).withSegmentSize(140 + world.random.nextInt(9000));
            world.right
                    .withBuffer(400 + world.random.nextInt(60_000))
                    .withSegmentSize(140 + world.random.nextInt(9000));
            world.here.ord = 1 + world.random.nextInt(4);
            world.there.ord = 1 + world.random.nextInt(4);
            world.here.withQp(world.here.attributes().withExtendedOps(extended));
            world.there.withQp(world.there.attributes().withExtendedOps(extended));
            Traffic one = new Traffic(world.here, world.random, extended);
            Traffic other = new Traffic(world.there, world.random, extended);
            one.meet(other);
            other.meet(one);
            world.connect(settings(world).withPeerToPeer(world.random.nextBoolean()), settings(world));
            // RFC 5044, 7.1.2: the side that was asked waits for the first message of the one that has asked.
            for (int operation = 0; operation < OPERATIONS; operation++) {
                one.post();
                if (operation > 0) {
                    other.post();
                }
                for (int rounds = world.random.nextInt(4); rounds > 0; rounds--) {
                    world.step();
                    one.reap();
                    other.reap();
                }
            }
            world.until(() -> {
                one.reap();
                other.reap();
                return one.isIdle() && other.isIdle();
            });
            world.settle();
            one.assertMemory();
            other.assertMemory();
            assertEquals(QpState.RTS, world.here.qp.state());
            assertEquals(QpState.RTS, world.there.qp.state());
        }
    }

    private static MpaSettings settings(World world) {
        return MpaSettings.defaults()
                .withCrc(world.random.nextBoolean(), CrcRule.RFC)
                .withMarkers(world.random.nextBoolean(), true);
    }
}
