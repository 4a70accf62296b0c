package org.rdma4j.rocev2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.verbs.AddressHandle;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.CompletionQueue;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.MemoryRegion;
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

/** Each operation that there is between two devices, of RC, UC and UD, with every byte of both memories checked. */
public final class EveryOperation {

    private static final int ALL =
            AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;
    private static final int SIZE = 1 << 19;
    private static final int FIRST_PSN = 0xFFFFF0;
    private static final int QKEY = 0x1111_1111;
    private static final int GRH = 40;

    private final Side here;
    private final Side there;
    private final int pathMtu;
    private final SendWorkRequest wr = new SendWorkRequest();

    private EveryOperation(DeviceContext here, DeviceContext there, int pathMtu) {
        this.pathMtu = pathMtu;
        this.here = new Side(here, new Random(1));
        this.there = new Side(there, new Random(2));
    }

    /** Runs all of it on queue pairs of its own. */
    public static void between(DeviceContext here, DeviceContext there, int pathMtu) {
        EveryOperation run = new EveryOperation(here, there, pathMtu);
        run.here.connect(run.there);
        run.there.connect(run.here);
        run.sends();
        run.writes();
        run.reads();
        run.atomics();
        run.unacknowledged();
        run.datagram();
        run.multicast();
    }

    /** One end. */
    private final class Side {
        final DeviceContext device;
        final ProtectionDomain pd;
        final CompletionQueue cq;
        final QueuePair rc;
        final QueuePair uc;
        final QueuePair ud;
        final MemorySegment memory = Arena.ofAuto().allocate(SIZE, 64);
        final byte[] expected = new byte[SIZE];
        final MemoryRegion region;
        final WorkCompletion completion = new WorkCompletion();

        Side(DeviceContext device, Random random) {
            this.device = device;
            pd = device.allocPd();
            cq = device.createCq(1024);
            rc = pd.createQp(QpInitAttributes.rc(cq));
            uc = pd.createQp(QpInitAttributes.uc(cq));
            ud = pd.createQp(QpInitAttributes.ud(cq));
            random.nextBytes(expected);
            MemorySegment.copy(expected, 0, memory, ValueLayout.JAVA_BYTE, 0, SIZE);
            region = pd.register(memory, ALL);
        }

        void connect(Side peer) {
            rc.modify(
                    new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(ALL));
            rc.modify(new QpAttributes()
                    .state(QpState.RTR)
                    .av(AhAttributes.to(peer.device.queryGid(0)))
                    .pathMtu(pathMtu)
                    .destQpNum(peer.rc.qpNum())
                    .rqPsn(FIRST_PSN)
                    .maxDestRdAtomic(16)
                    .minRnrTimer(12));
            rc.modify(new QpAttributes()
                    .state(QpState.RTS)
                    .sqPsn(FIRST_PSN)
                    .timeout(14)
                    .retryCount(7)
                    .rnrRetry(7)
                    .maxRdAtomic(16));
            uc.modify(
                    new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(AccessFlags.REMOTE_WRITE));
            uc.modify(new QpAttributes()
                    .state(QpState.RTR)
                    .av(AhAttributes.to(peer.device.queryGid(0)))
                    .pathMtu(pathMtu)
                    .destQpNum(peer.uc.qpNum())
                    .rqPsn(FIRST_PSN));
            uc.modify(new QpAttributes().state(QpState.RTS).sqPsn(FIRST_PSN));
            ud.modify(
                    new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).qkey(QKEY));
            ud.modify(new QpAttributes().state(QpState.RTR));
            ud.modify(new QpAttributes().state(QpState.RTS).sqPsn(7));
        }

        WorkCompletion await(WcOpcode opcode) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (!cq.poll(completion)) {
                assertTrue(System.nanoTime() < end, () -> "no completion of a " + opcode + " within 20 s");
                Thread.onSpinWait();
            }
            assertEquals(WcStatus.SUCCESS, completion.status(), completion::toString);
            assertEquals(opcode, completion.opcode());
            return completion;
        }

        /** What this side's memory must hold from now on. */
        void takes(int at, Side from, int fromAt, int length) {
            System.arraycopy(from.expected, fromAt, expected, at, length);
        }

        void check() {
            assertEquals(-1, memory.mismatch(MemorySegment.ofArray(expected)), "the first byte that is wrong");
        }
    }

    private void check() {
        here.check();
        there.check();
    }

    private void sends() {
        for (int length : new int[] {0, 1, 7, pathMtu, pathMtu + 1, 3 * pathMtu, SIZE / 2}) {
            there.rc.postReceive(new ReceiveWorkRequest().reset(1).sge(there.region, SIZE / 2, SIZE / 2));
            here.rc.postSend(wr.reset(WrOpcode.SEND).sge(here.region, 5, length).signaled());
            assertEquals(length, there.await(WcOpcode.RECV).byteLength());
            here.await(WcOpcode.SEND);
            there.takes(SIZE / 2, here, 5, length);
            check();
        }
        there.rc.postReceive(new ReceiveWorkRequest().reset(2).sge(there.region, 100, 5000));
        here.rc.postSend(wr.reset(WrOpcode.SEND_WITH_IMM)
                .sge(here.region, 9, 4999)
                .immediate(0x12345678)
                .signaled());
        assertEquals(0x12345678, there.await(WcOpcode.RECV).immediate());
        here.await(WcOpcode.SEND);
        there.takes(100, here, 9, 4999);

        MemoryRegion lent = there.pd.register(Arena.ofAuto().allocate(64), ALL);
        there.rc.postReceive(new ReceiveWorkRequest().reset(3).sge(there.region, 7000, 100));
        here.rc.postSend(wr.reset(WrOpcode.SEND_WITH_INV)
                .sge(here.region, 20, 30)
                .invalidate(lent.rKey())
                .signaled());
        assertEquals(lent.rKey(), there.await(WcOpcode.RECV).invalidatedKey());
        here.await(WcOpcode.SEND);
        there.takes(7000, here, 20, 30);
        check();
    }

    private void writes() {
        for (int length : new int[] {0, 1, pathMtu - 1, pathMtu, 2 * pathMtu + 3, SIZE - 50}) {
            write(WrOpcode.RDMA_WRITE, length);
        }
        there.rc.postReceive(new ReceiveWorkRequest().reset(4));
        write(WrOpcode.RDMA_WRITE_WITH_IMM, pathMtu); // the longest packet that there is
        assertEquals(77, there.await(WcOpcode.RECV_RDMA_WITH_IMM).immediate());
    }

    private void write(WrOpcode opcode, int length) {
        here.rc.postSend(wr.reset(opcode)
                .sge(here.region, 11, length)
                .remote(there.region.address() + 3, there.region.rKey())
                .immediate(opcode == WrOpcode.RDMA_WRITE ? 0 : 77)
                .signaled());
        here.await(WcOpcode.RDMA_WRITE);
        there.takes(3, here, 11, length);
        check();
    }

    private void reads() {
        new Random(3).nextBytes(there.expected);
        MemorySegment.copy(there.expected, 0, there.memory, ValueLayout.JAVA_BYTE, 0, SIZE);
        for (int length : new int[] {0, 1, pathMtu, pathMtu + 1, SIZE - 50}) {
            here.rc.postSend(wr.reset(WrOpcode.RDMA_READ)
                    .sge(here.region, 17, length)
                    .remote(there.region.address() + 31, there.region.rKey())
                    .signaled());
            here.await(WcOpcode.RDMA_READ);
            here.takes(17, there, 31, length);
            check();
        }
    }

    private void atomics() {
        there.memory.set(ValueLayout.JAVA_LONG, 8, 40);
        here.rc.postSend(wr.reset(WrOpcode.ATOMIC_FETCH_AND_ADD)
                .sge(here.region, 0, 8)
                .remote(there.region.address() + 8, there.region.rKey())
                .fetchAdd(2)
                .signaled());
        here.await(WcOpcode.FETCH_ADD);
        assertEquals(40, here.memory.get(ValueLayout.JAVA_LONG, 0));
        assertEquals(42, there.memory.get(ValueLayout.JAVA_LONG, 8));
        here.rc.postSend(wr.reset(WrOpcode.ATOMIC_CMP_AND_SWP)
                .sge(here.region, 0, 8)
                .remote(there.region.address() + 8, there.region.rKey())
                .compareSwap(42, 7)
                .signaled());
        here.await(WcOpcode.COMP_SWAP);
        assertEquals(42, here.memory.get(ValueLayout.JAVA_LONG, 0));
        assertEquals(7, there.memory.get(ValueLayout.JAVA_LONG, 8));
    }

    /** Short enough that nothing is lost where nobody waits for the receiver. */
    private void unacknowledged() {
        int length = 3 * pathMtu + 5;
        there.uc.postReceive(new ReceiveWorkRequest().reset(6).sge(there.region, 1000, length));
        here.uc.postSend(wr.reset(WrOpcode.SEND_WITH_IMM)
                .sge(here.region, 40, length)
                .immediate(6)
                .signaled());
        assertEquals(length, there.await(WcOpcode.RECV).byteLength());
        assertEquals(6, there.completion.immediate());
        here.await(WcOpcode.SEND);
        assertEquals(-1, here.memory.asSlice(40, length).mismatch(there.memory.asSlice(1000, length)));

        there.uc.postReceive(new ReceiveWorkRequest().reset(7));
        here.uc.postSend(wr.reset(WrOpcode.RDMA_WRITE_WITH_IMM)
                .sge(here.region, 60, length)
                .remote(there.region.address() + 200, there.region.rKey())
                .immediate(7)
                .signaled());
        assertEquals(7, there.await(WcOpcode.RECV_RDMA_WITH_IMM).immediate());
        here.await(WcOpcode.RDMA_WRITE);
        assertEquals(-1, here.memory.asSlice(60, length).mismatch(there.memory.asSlice(200, length)));
    }

    private void datagram() {
        int length = Math.min(pathMtu, 1000);
        there.ud.postReceive(new ReceiveWorkRequest().reset(5).sge(there.region, 0, GRH + length));
        try (AddressHandle way = here.pd.createAh(AhAttributes.to(there.device.queryGid(0)))) {
            here.ud.postSend(wr.reset(WrOpcode.SEND_WITH_IMM)
                    .sge(here.region, 64, length)
                    .immediate(5)
                    .ud(way, there.ud.qpNum(), QKEY)
                    .signaled());
            here.await(WcOpcode.SEND);
            WorkCompletion received = there.await(WcOpcode.RECV);
            assertEquals(GRH + length, received.byteLength());
            assertEquals(5, received.immediate());
            assertEquals(-1, here.memory.asSlice(64, length).mismatch(there.memory.asSlice(GRH, length)));
        }
    }

    /** The queue pair that sends is a member too, and does not get its own packet back. */
    private void multicast() {
        int length = Math.min(pathMtu, 100);
        boolean ipv4 = here.device.queryGid(0).isIpv4();
        Gid group = ipv4 ? Gid.ofIpv4(0xEF01_0203) : new Gid(0xFF12L << 48, 0x1234_5678L);
        here.ud.attachMulticast(group, 0);
        there.ud.attachMulticast(group, 0);
        there.ud.postReceive(new ReceiveWorkRequest().reset(8).sge(there.region, 4096, GRH + length));
        try (AddressHandle way = here.pd.createAh(AhAttributes.to(group))) {
            here.ud.postSend(wr.reset(WrOpcode.SEND_WITH_IMM)
                    .sge(here.region, 64, length)
                    .immediate(8)
                    .ud(way, 0xFF_FFFF, QKEY)
                    .signaled());
            here.await(WcOpcode.SEND);
            assertEquals(GRH + length, there.await(WcOpcode.RECV).byteLength());
            assertEquals(8, there.completion.immediate());
            assertEquals(-1, here.memory.asSlice(64, length).mismatch(there.memory.asSlice(4096 + GRH, length)));
        }
        here.ud.detachMulticast(group, 0);
        there.ud.detachMulticast(group, 0);
    }
}
