package org.rdma4j.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.rdma4j.verbs.TwoDevices.refused;

import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rdma4j.link.loop.LoopNetwork;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.VerbsException.Errno;
import org.rdma4j.wire.Gid;

/** P_Key tables of more than one entry: queue pairs talk where their entries match (10.9). */
class PartitionTest {

    private static final int FULL = 0x8001;
    private static final int LIMITED = 0x0001;

    private final LoopNetwork network = new LoopNetwork();
    private final DeviceContext here = open(1, 0xFFFF, FULL, LIMITED);
    private final DeviceContext there = open(2, LIMITED, 0xFFFF, 0, FULL);
    private final CompletionQueue cq = here.createCq(16);
    private final ProtectionDomain pd = here.allocPd();
    private final QueuePair qp = pd.createQp(QpInitAttributes.uc(cq));
    private final QueuePair peer = there.allocPd().createQp(QpInitAttributes.uc(there.createCq(16)));
    private final MemoryRegion region = pd.register(Arena.ofAuto().allocate(64), AccessFlags.LOCAL_WRITE);

    private DeviceContext open(int host, Integer... pkeys) {
        Random random = new Random(host);
        return DeviceContext.on(
                network.join(Gid.ofIpv4(0x0A00_0000 | host)),
                DeviceOptions.defaults()
                        .withProgress(Progress.CALLER)
                        .withRandom(random::nextInt)
                        .withPkeys(pkeys));
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
    }

    private static void connect(QueuePair pair, int pkeyIndex, QueuePair to) {
        pair.modify(new QpAttributes()
                .state(QpState.INIT)
                .pkeyIndex(pkeyIndex)
                .port(1)
                .accessFlags(AccessFlags.REMOTE_WRITE | AccessFlags.LOCAL_WRITE));
        pair.modify(new QpAttributes()
                .state(QpState.RTR)
                .av(AhAttributes.to(to.pd().device().queryGid(0)))
                .pathMtu(1024)
                .destQpNum(to.qpNum())
                .rqPsn(0));
        pair.modify(new QpAttributes().state(QpState.RTS).sqPsn(0));
    }

    private long mismatchesAfterASend() {
        qp.postSend(new SendWorkRequest().reset(WrOpcode.SEND).sge(region, 0, 8));
        for (int round = 0; round < 10; round++) {
            here.progress();
            there.progress();
        }
        return there.decisions(Rule.PKEY_MISMATCH);
    }

    @ParameterizedTest(name = "entry {0} to entry {1}: dropped {2}")
    @CsvSource({
        "0, 1, 0", // the default partition
        "1, 3, 0", // full to full
        "1, 0, 0", // full to limited
        "2, 3, 0", // limited to full
        "2, 0, 1", // limited to limited
        "0, 3, 1", // two partitions
        "1, 2, 1" // an empty entry
    })
    void packetsPassWhereTheEntriesMatch(int index, int peerIndex, int dropped) {
        connect(qp, index, peer);
        connect(peer, peerIndex, qp);
        assertEquals(index, qp.query().pkeyIndex());
        assertEquals(dropped, mismatchesAfterASend());
        assertEquals(dropped, there.queryPort().badPkeys());
    }

    @Test
    void entryThatChangesMovesItsQueuePairsAndIsTold() throws InterruptedException {
        connect(qp, 0, peer);
        connect(peer, 1, qp);
        assertEquals(0, mismatchesAfterASend());
        there.changePkey(1, 0x8003);
        assertEquals(
                AsyncEventType.PKEY_CHANGE, there.getAsyncEvent(Duration.ZERO).type());
        assertEquals(0x8003, there.queryPkey(1));
        assertEquals(1, mismatchesAfterASend());
        here.changePkey(0, 0x0003);
        assertEquals(1, mismatchesAfterASend(), "a limited member of the same partition again");
        assertNull(there.getAsyncEvent(Duration.ZERO));
    }

    @Test
    void pathThatAMigrationLeavesKeepsItsEntry() {
        connect(qp, 0, peer);
        connect(peer, 3, qp);
        qp.modify(new QpAttributes().state(QpState.SQD));
        qp.modify(new QpAttributes().pkeyIndex(1));
        qp.modify(new QpAttributes().state(QpState.RTS));
        AhAttributes elsewhere = AhAttributes.to(Gid.ofIpv4(0x0A00_0003));
        qp.modify(new QpAttributes().alternatePath(elsewhere, 2, 0).migrationState(PathMigrationState.REARM));
        peer.modify(new QpAttributes().alternatePath(elsewhere, 3, 0).migrationState(PathMigrationState.REARM));
        peer.postSend(new SendWorkRequest().reset(WrOpcode.SEND));
        there.progress();
        here.progress();
        qp.modify(new QpAttributes().migrationState(PathMigrationState.MIGRATED));
        assertEquals(2, qp.query().pkeyIndex());
        assertEquals(1, qp.query().alternatePkeyIndex());
    }

    @Test
    void tableIsAskedByIndexByKeyAndByWhatMatches() {
        assertEquals(4, there.queryPort().pkeyTableLength());
        assertEquals(FULL, there.queryPkey(3));
        assertEquals(3, there.pkeyIndex(FULL));
        assertEquals(0, there.pkeyIndex(LIMITED));
        assertEquals(3, there.matchingPkeyIndex(FULL), "the full member's of two that match");
        assertEquals(3, there.matchingPkeyIndex(LIMITED));
        assertEquals(1, there.matchingPkeyIndex(0x7FFF));
        assertEquals(-1, there.matchingPkeyIndex(0x8000));
        assertEquals(-1, there.matchingPkeyIndex(0x8002));
        refused(
                Errno.EINVAL,
                "does not hold 0x8002; it holds 0x0001, 0xffff, 0x0000, 0x8001",
                () -> there.pkeyIndex(0x8002));
        refused(Errno.EINVAL, "P_Key index 4", () -> there.queryPkey(4));
        refused(Errno.EINVAL, "not 0x10000", () -> there.changePkey(0, 0x10000));
    }

    @Test
    void tablesThatCannotBeAreRefused() {
        refused(Errno.EINVAL, "1 to 128 entries, not 0", () -> open(3));
        List<Integer> many = java.util.stream.IntStream.range(0, 129).boxed().toList();
        refused(Errno.EINVAL, "1 to 128 entries, not 129", () -> open(4, many.toArray(Integer[]::new)));
    }

    @Test
    void indexOutsideOfTheTableIsRefused() {
        QpAttributes wanted =
                new QpAttributes().state(QpState.INIT).pkeyIndex(3).port(1).accessFlags(0);
        refused(Errno.EINVAL, "PKEY_INDEX is 0 to 2, not 3", () -> qp.modify(wanted));
    }
}
