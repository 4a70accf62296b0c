package org.rdma4j.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.rdma4j.link.loop.LoopNetwork;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.AsyncEvent;
import org.rdma4j.verbs.AsyncEventType;
import org.rdma4j.verbs.CompletionQueue;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceOptions;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.PathMigrationState;
import org.rdma4j.verbs.Progress;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WcOpcode;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.Gid;

/**
 * Connections with two paths, of which the one in use dies, or is left on request, and comes back: no message is lost,
 * doubled or out of order, none fails, and both ends meet on the path that lives (17.2.8). {@code -Dseed=N} runs one
 * schedule, {@code -Dschedules=N} another number of them.
 */
class MigrationScheduleTest {

    private static final int SCHEDULES = Math.min(1_000, Integer.getInteger("schedules", 1_000));
    private static final int MESSAGES = 60;
    private static final int DEPTH = 8;
    private static final int LONGEST = 3_000;
    private static final int MOST_MIGRATIONS = 3;

    /** So many times do the schedules migrate at the least, each; fewer would prove little. */
    private static final int MIGRATIONS_EACH = 2;

    private static final long TOO_LONG = 20_000_000_000L;
    private static final int[] LABELS = {1, 2};

    private long now;

    /** One of the two ends: sends numbered messages, and checks those that it gets. */
    private final class End {

        final DeviceContext device;
        final QueuePair qp;
        private final Random random;
        private final CompletionQueue cq;
        private final MemorySegment memory = Arena.ofAuto().allocate(2L * DEPTH * LONGEST);
        private final MemoryRegion region;
        private int posted;
        private int sent;
        private int receivesPosted;
        private int received;
        private int migrations;

        End(LoopNetwork network, int host, Set<Integer> dead, Random random) {
            this.random = random;
            device = DeviceContext.on(
                    new PathsLink(network.join(Gid.ofIpv4(0x0A00_0000 | host)), dead),
                    DeviceOptions.defaults()
                            .withProgress(Progress.CALLER)
                            .withRandom(random::nextInt)
                            .withClock(() -> now));
            ProtectionDomain pd = device.allocPd();
            cq = device.createCq(4 * DEPTH);
            qp = pd.createQp(QpInitAttributes.rc(cq).withDepths(DEPTH, DEPTH).withSignalAll(true));
            region = pd.register(memory, AccessFlags.LOCAL_WRITE);
        }

        void connect(End peer, int mtu) {
            Gid gid = peer.device.queryGid(0);
            qp.modify(
                    new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(0));
            qp.modify(new QpAttributes()
                    .state(QpState.RTR)
                    .av(new AhAttributes(gid, LABELS[0], 0, 0, 0))
                    .alternatePath(new AhAttributes(gid, LABELS[1], 0, 0, 0), 0, 8)
                    .pathMtu(mtu)
                    .destQpNum(peer.qp.qpNum())
                    .rqPsn(0xFF_FFF0)
                    .maxDestRdAtomic(1)
                    .minRnrTimer(1));
            qp.modify(new QpAttributes()
                    .state(QpState.RTS)
                    .sqPsn(0xFF_FFF0)
                    .timeout(8)
                    .retryCount(2)
                    .rnrRetry(7)
                    .maxRdAtomic(1)
                    .migrationState(PathMigrationState.REARM));
        }

        int label() {
            return qp.query().av().flowLabel();
        }

        boolean is(PathMigrationState state) {
            return qp.query().migrationState() == state;
        }

        void rearm() {
            qp.modify(new QpAttributes().migrationState(PathMigrationState.REARM));
        }

        boolean isDone() {
            return sent == MESSAGES && received == MESSAGES;
        }

        void step() throws InterruptedException {
            while (receivesPosted < MESSAGES && receivesPosted - received < DEPTH && random.nextInt(4) > 0) {
                int slot = DEPTH + receivesPosted % DEPTH;
                qp.postReceive(
                        new ReceiveWorkRequest().reset(receivesPosted++).sge(region, (long) slot * LONGEST, LONGEST));
            }
            while (posted < MESSAGES && posted - sent < DEPTH && random.nextInt(8) == 0) {
                long at = (long) (posted % DEPTH) * LONGEST;
                fill(memory.asSlice(at, length(posted)), posted);
                qp.postSend(
                        new SendWorkRequest().reset(WrOpcode.SEND).wrId(posted).sge(region, at, length(posted)));
                posted++;
            }
            device.progress();
            WorkCompletion completion = new WorkCompletion();
            while (cq.poll(completion)) {
                assertEquals(WcStatus.SUCCESS, completion.status(), completion::toString);
                if (completion.opcode() == WcOpcode.SEND) {
                    assertEquals(sent++, completion.wrId());
                } else {
                    check(completion);
                }
            }
            for (AsyncEvent event = next(); event != null; event = next()) {
                assertEquals(AsyncEventType.PATH_MIG, event.type());
                migrations++;
            }
        }

        private AsyncEvent next() throws InterruptedException {
            return device.getAsyncEvent(Duration.ZERO);
        }

        private void check(WorkCompletion completion) {
            int number = received++;
            assertEquals(number, completion.wrId());
            assertEquals(length(number), completion.byteLength());
            MemorySegment expected = MemorySegment.ofArray(new byte[length(number)]);
            fill(expected, number);
            long at = (long) (DEPTH + number % DEPTH) * LONGEST;
            assertEquals(-1, memory.asSlice(at, length(number)).mismatch(expected), "message " + number);
        }
    }

    private static int length(int number) {
        return 1 + number * 997 % LONGEST;
    }

    private static void fill(MemorySegment target, int number) {
        for (long at = 0; at < target.byteSize(); at++) {
            target.set(ValueLayout.JAVA_BYTE, at, (byte) (number * 31 + at * 7));
        }
    }

    /** @return how often the two ends migrated, together */
    private int run(long seed) throws InterruptedException {
        Random random = new Random(seed);
        LoopNetwork network = new LoopNetwork();
        Set<Integer> dead = new HashSet<>();
        now = 1_000_000;
        End left = new End(network, 1, dead, random);
        End right = new End(network, 2, dead, random);
        try {
            int mtu = random.nextBoolean() ? 256 : 1024;
            left.connect(right, mtu);
            right.connect(left, mtu);
            int asked = 0;
            while (!left.isDone() || !right.isDone()) {
                left.step();
                right.step();
                now += 1_000 + random.nextInt(dead.isEmpty() ? 20_000 : 200_000);
                assertTrue(
                        now < TOO_LONG,
                        () -> "stalled: " + left.qp.query().migrationState() + " and "
                                + right.qp.query().migrationState());
                boolean bothArmed = left.is(PathMigrationState.ARMED) && right.is(PathMigrationState.ARMED);
                if (bothArmed && asked < MOST_MIGRATIONS && random.nextInt(10) == 0) {
                    assertEquals(left.label(), right.label(), "both are on one path");
                    asked++;
                    if (random.nextInt(3) == 0) {
                        End one = random.nextBoolean() ? left : right;
                        one.qp.modify(new QpAttributes().migrationState(PathMigrationState.MIGRATED));
                    } else {
                        dead.add(0xC000 | left.label());
                    }
                }
                boolean bothMigrated = left.is(PathMigrationState.MIGRATED) && right.is(PathMigrationState.MIGRATED);
                if (bothMigrated && random.nextInt(5) == 0) {
                    dead.clear();
                    left.rearm();
                    right.rearm();
                }
            }
            return left.migrations + right.migrations;
        } finally {
            left.device.close();
            right.device.close();
        }
    }

    @Test
    void nothingIsLostWhereThePathDies() throws InterruptedException {
        Long only = Long.getLong("seed");
        if (only != null) {
            run(only);
            return;
        }
        long migrations = 0;
        for (long seed = 1; seed <= SCHEDULES; seed++) {
            try {
                migrations += run(seed);
            } catch (AssertionError | RuntimeException e) {
                fail("schedule with -Dseed=" + seed, e);
            }
        }
        long total = migrations;
        assertTrue(
                total > (long) MIGRATIONS_EACH * SCHEDULES, () -> total + " migrations in " + SCHEDULES + " schedules");
    }
}
