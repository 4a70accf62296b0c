package org.rdma4j.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.rdma4j.verbs.TwoDevices.refused;
import static org.rdma4j.verbs.TwoDevices.take;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.rdma4j.verbs.VerbsException.Errno;

/** {@code ibv_alloc_null_mr}: reads give zeros, writes vanish, and no peer may name it. */
class NullRegionTest {

    private static final int SIZE = 100_000; // of many packets, and no multiple of one

    private final TwoDevices two = new TwoDevices().connected();
    private final MemoryRegion nowhere = two.pd.allocateNullRegion();
    private final MemorySegment target = Arena.ofAuto().allocate(SIZE);
    private final MemoryRegion targetRegion = two.pdThere.register(target, Connecting.ACCESS);

    @AfterEach
    void close() {
        two.close();
    }

    private SendWorkRequest transfer(WrOpcode opcode) {
        return two.send.reset(opcode).wrId(7).remote(targetRegion.address(), targetRegion.rKey());
    }

    private WcStatus statusOf(SendWorkRequest wr) {
        two.qp.postSend(wr.signaled());
        two.run();
        List<WorkCompletion> completions = take(two.cq);
        assertEquals(1, completions.size());
        return completions.getFirst().status();
    }

    @Test
    void writesZerosToThePeer() {
        target.fill((byte) 0x55);
        assertEquals(
                WcStatus.SUCCESS,
                statusOf(transfer(WrOpcode.RDMA_WRITE).sge(0x1234_5678_9ABCL, SIZE - 1, nowhere.lKey())));
        assertEquals(SIZE - 1, target.mismatch(Arena.ofAuto().allocate(SIZE)), "all but the last byte is zero");
        assertEquals(0x55, target.get(ValueLayout.JAVA_BYTE, SIZE - 1));
    }

    @Test
    void whatIsReadIntoItVanishesAndWhatStandsBesideItDoesNot() {
        for (int at = 0; at < SIZE; at++) {
            target.set(ValueLayout.JAVA_BYTE, at, (byte) (at * 7 + 1));
        }
        SendWorkRequest read = transfer(WrOpcode.RDMA_READ)
                .sge(-4096L, 3000, nowhere.lKey())
                .sge(two.region.address(), 1000, two.region.lKey());
        assertEquals(WcStatus.SUCCESS, statusOf(read));
        assertEquals(
                -1,
                two.region.memory().asSlice(0, 1000).mismatch(target.asSlice(3000, 1000)),
                "the second piece is filled from byte 3000 on");
        // Still zeros: nothing was kept.
        assertEquals(WcStatus.SUCCESS, statusOf(transfer(WrOpcode.RDMA_WRITE).sge(-4096L, 3000, nowhere.lKey())));
        assertEquals(-1, target.asSlice(0, 3000).mismatch(Arena.ofAuto().allocate(3000)));
    }

    @Test
    void messagesAreReceivedIntoItAndTheirLengthIsTold() {
        MemoryRegion nowhereThere = two.pdThere.allocateNullRegion();
        two.peer.postReceive(two.receive.reset(3).sge(0, 1 << 20, nowhereThere.lKey()));
        assertEquals(WcStatus.SUCCESS, statusOf(two.send.reset(WrOpcode.SEND).sge(two.region, 0, 4000)));
        WorkCompletion received = take(two.cqThere).getFirst();
        assertEquals(WcStatus.SUCCESS, received.status());
        assertEquals(4000, received.byteLength());
    }

    @Test
    void inlineDataOfItIsZerosToo() {
        target.fill((byte) 0x55);
        SendWorkRequest wr = transfer(WrOpcode.RDMA_WRITE).sge(99, TwoDevices.INLINE, nowhere.lKey());
        assertEquals(WcStatus.SUCCESS, statusOf(wr.inline()));
        assertEquals(TwoDevices.INLINE, target.mismatch(Arena.ofAuto().allocate(SIZE)));
    }

    @Test
    void isNoRKey() {
        MemoryRegion nowhereThere = two.pdThere.allocateNullRegion();
        SendWorkRequest write = two.send
                .reset(WrOpcode.RDMA_WRITE)
                .remote(0, nowhereThere.rKey())
                .sge(two.region, 0, 8);
        assertEquals(WcStatus.REM_ACCESS_ERR, statusOf(write));
    }

    @Test
    void staysAsItIs() {
        refused(Errno.EINVAL, "a null region stays as it is", () -> nowhere.reregister(Connecting.ACCESS));
        refused(Errno.EINVAL, "allocateRegion", () -> nowhere.map(target, 0));
        assertEquals(-1, nowhere.length(), "2^64 - 1");
        ProtectionDomain other = two.here.allocPd();
        MemoryRegion kept = other.allocateNullRegion();
        refused(Errno.EBUSY, "1 regions", other::close);
        kept.close();
        other.close();
    }
}
