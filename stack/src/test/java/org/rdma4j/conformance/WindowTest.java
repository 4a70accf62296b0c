package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rdma4j.conformance.Packets.ack;
import static org.rdma4j.conformance.Packets.fetchAdd;
import static org.rdma4j.conformance.Packets.read;
import static org.rdma4j.conformance.Packets.readResponseOnly;
import static org.rdma4j.conformance.Packets.sendOnlyInv;
import static org.rdma4j.conformance.Packets.writeFirst;
import static org.rdma4j.conformance.Packets.writeMiddle;
import static org.rdma4j.conformance.Packets.writeOnly;

import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.AsyncEventType;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.MemoryWindow;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.VerbsException;
import org.rdma4j.verbs.WcOpcode;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WindowType;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.Syndrome;

/** Group KEY: memory windows of both types (10.6.7). */
class WindowTest extends RcScene {

    private static final int WRITE = AccessFlags.REMOTE_WRITE;
    private static final int READ = AccessFlags.REMOTE_READ;
    private static final int ATOMIC = AccessFlags.REMOTE_ATOMIC;

    /** Where windows are bound: a region that gives the peer nothing itself. */
    private MemoryRegion ground;

    @BeforeEach
    void prepare() {
        connect(new Setup());
        ground = device.register(memory.inside(), AccessFlags.MW_BIND);
    }

    private MemoryWindow window(WindowType type) {
        return device.pd.allocateWindow(type);
    }

    private static SendWorkRequest bindRequest(MemoryRegion region, long offset, long size, int access) {
        return new SendWorkRequest().reset(WrOpcode.BIND_MW).wrId(9).signaled().bindTo(region, offset, size, access);
    }

    /** Posts the binding of a window and lets it happen; what comes of it is the caller's to look at. */
    private void bind(MemoryWindow window, MemoryRegion region, long offset, long size, int access) {
        SendWorkRequest request = bindRequest(region, offset, size, access);
        if (window.type() == WindowType.TYPE_1) {
            device.qp.bind(window, request);
        } else {
            device.qp.postSend(request.window(window, MemoryWindow.nextKey(window.rKey())));
        }
        settle();
    }

    private MemoryWindow bound(WindowType type, long offset, long size, int access) {
        MemoryWindow window = window(type);
        bind(window, ground, offset, size, access);
        assertEquals(WcOpcode.BIND_MW, device.completes(9).opcode());
        return window;
    }

    private void bindFails(MemoryWindow window, MemoryRegion region, long offset, long size, int access) {
        bind(window, region, offset, size, access);
        device.completes(9, WcStatus.MW_BIND_ERR);
        device.isIn(QpState.ERR);
    }

    private void denied(WirePacket packet) {
        peer.sends(packet);
        refused(Rule.REMOTE_ACCESS, n, Syndrome.NAK_REMOTE_ACCESS, AsyncEventType.QP_ACCESS_ERR);
        memory.isUntouched();
    }

    private WirePacket write(long address, int key, int length) {
        return writeOnly(n).reth(address, key, length).payload(length).ackReq();
    }

    @ParameterizedTest
    @CsvSource({"TYPE_1", "TYPE_2"})
    @DisplayName("KEY-08: a bound window opens its part of the region to its last byte, with its own rights")
    void opensItsPart(WindowType type) {
        MemoryWindow window = bound(type, 1000, 64, WRITE | READ | ATOMIC);
        WirePacket write = write(ground.address() + 1056, window.rKey(), 8);
        peer.sends(write);
        peer.expects(ack(n));
        memory.holds(1056, write.bytes());
        peer.sends(read(plus(n, 1)).reth(ground.address() + 1056, window.rKey(), 8));
        peer.expects(readResponseOnly(plus(n, 1)).payload(write.bytes()));
        peer.sends(fetchAdd(plus(n, 2)).atomic(ground.address() + 1000 & -8, ground.rKey(), 1, 0));
        refused(Rule.REMOTE_ACCESS, plus(n, 2), Syndrome.NAK_REMOTE_ACCESS, AsyncEventType.QP_ACCESS_ERR);
    }

    @ParameterizedTest
    @CsvSource({"TYPE_1, -1", "TYPE_1, 57", "TYPE_2, -1", "TYPE_2, 57", "TYPE_2, 64", "TYPE_1, -9223372036854775808"})
    @DisplayName("KEY-08: and not a byte beside it, though the region goes on there")
    void nothingBesideIt(WindowType type, long offset) {
        MemoryWindow window = bound(type, 1000, 64, WRITE);
        denied(write(ground.address() + 1000 + offset, window.rKey(), 8));
    }

    @ParameterizedTest
    @ValueSource(ints = {READ, ATOMIC, READ | ATOMIC})
    @DisplayName("KEY-08: nor what the window has no right for")
    void windowWithoutRight(int access) {
        MemoryWindow window = bound(WindowType.TYPE_2, 0, 64, access);
        denied(write(ground.address(), window.rKey(), 8));
    }

    @Test
    @DisplayName("KEY-08: a window of type 2 is of use to the queue pair that bound it alone (2B)")
    void otherQueuePair() {
        QueuePair other = device.another(Peer.QPN + 1);
        MemoryWindow window = window(WindowType.TYPE_2);
        other.postSend(bindRequest(ground, 0, 64, WRITE).window(window, window.rKey()));
        settle();
        WorkCompletion completion = new WorkCompletion();
        assertTrue(device.cq.poll(completion) && completion.isSuccess());
        denied(write(ground.address(), window.rKey(), 8));
    }

    @Test
    @DisplayName("KEY-08: one of type 1 to every queue pair of its domain")
    void typeOneIsOfTheDomain() {
        QueuePair other = device.another(Peer.QPN + 1);
        MemoryWindow window = window(WindowType.TYPE_1);
        int key = other.bind(window, bindRequest(ground, 0, 64, WRITE));
        settle();
        peer.sends(write(ground.address(), key, 8));
        peer.expects(ack(n));
    }

    @Test
    @DisplayName("KEY-08: a zero-based window counts from 0, and its region's addresses are no use")
    void zeroBased() {
        MemoryWindow window = bound(WindowType.TYPE_2, 1000, 64, WRITE | AccessFlags.ZERO_BASED);
        WirePacket write = write(56, window.rKey(), 8);
        peer.sends(write);
        peer.expects(ack(n));
        memory.holds(1056, write.bytes());
        peer.sends(writeOnly(plus(n, 1)).reth(57, window.rKey(), 8).payload(8));
        refused(Rule.REMOTE_ACCESS, plus(n, 1), Syndrome.NAK_REMOTE_ACCESS, AsyncEventType.QP_ACCESS_ERR);
        memory.isUntouched(0, 1000);
        memory.isUntouched(1064, 100);
    }

    @Test
    @DisplayName("KEY-08: an R_Key is no L_Key: nothing is sent from a window")
    void noLocalKey() {
        MemoryWindow window = bound(WindowType.TYPE_1, 0, 64, WRITE | READ);
        device.posts(Host.request(WrOpcode.RDMA_WRITE, 1).sge(ground.address(), 8, window.rKey()));
        device.completes(1, WcStatus.LOC_PROT_ERR);
        peer.expectsNothing();
    }

    @ParameterizedTest
    @CsvSource({"TYPE_1, 0, 0", "TYPE_2, 0, 8", "TYPE_1, 8, 0"})
    @DisplayName("KEY-08: before it is bound, and under the key of before, a window opens nothing")
    void unboundOrOldKey(WindowType type, long offset, int keyStep) {
        MemoryWindow window = window(type);
        int old = window.rKey();
        if (offset > 0) {
            bind(window, ground, 0, 64, WRITE);
            device.completes(9);
            assertNotEquals(old, window.rKey());
        }
        denied(write(ground.address() + offset, old + keyStep, 8));
    }

    @Test
    @DisplayName("KEY-08: bound anew, a window of type 1 opens the new part under a new key and the old one no more")
    void boundAnew() {
        MemoryWindow window = bound(WindowType.TYPE_1, 0, 64, WRITE);
        int old = window.rKey();
        bind(window, ground, 128, 64, WRITE);
        device.completes(9);
        assertEquals(MemoryWindow.nextKey(old), window.rKey());
        peer.sends(write(ground.address() + 128, window.rKey(), 8));
        peer.expects(ack(n));
        peer.sends(writeOnly(plus(n, 1)).reth(ground.address(), old, 8).payload(8));
        refused(Rule.REMOTE_ACCESS, plus(n, 1), Syndrome.NAK_REMOTE_ACCESS, AsyncEventType.QP_ACCESS_ERR);
    }

    @Test
    @DisplayName("KEY-08: 0 bytes take a window of type 1 back")
    void takenBack() {
        MemoryWindow window = bound(WindowType.TYPE_1, 0, 64, WRITE);
        bind(window, ground, 0, 0, 0);
        device.completes(9);
        ground.reregister(AccessFlags.LOCAL_WRITE); // nothing is bound to it any more
        denied(write(ground.address(), window.rKey(), 8));
    }

    @ParameterizedTest(name = "of region 0x{0}: 0x{1}")
    @CsvSource({"1, 2", "1, 4", "10, 2", "10, 8"})
    @DisplayName("KEY-08: a region needs MW_BIND, and LOCAL_WRITE for a window that writes: else MW_BIND_ERR")
    void regionWithoutRight(String region, String window) {
        MemoryRegion limited = device.pd.register(memory.inside(), Integer.parseInt(region, 16));
        bindFails(window(WindowType.TYPE_2), limited, 0, 64, Integer.parseInt(window, 16));
    }

    @ParameterizedTest
    @CsvSource({"-1, 64", "1, " + SIZE, SIZE + ", 1", "0, -1", "-8, 16"})
    @DisplayName("KEY-08: nor does a window reach over its region's ends")
    void overTheEnds(long offset, long size) {
        bindFails(window(WindowType.TYPE_2), ground, offset, size, READ);
    }

    @Test
    @DisplayName("KEY-08: a window of type 2 is bound once; it must be taken back before the next time")
    void boundOnce() {
        bindFails(bound(WindowType.TYPE_2, 0, 64, READ), ground, 0, 64, READ);
    }

    @Test
    @DisplayName("KEY-08: 0 bytes, or a region, or a window, of another domain: MW_BIND_ERR")
    void otherDomain() {
        MemoryRegion foreign =
                device.context.allocPd().register(memory.inside(), Setup.ALL_ACCESS | AccessFlags.MW_BIND);
        bindFails(window(WindowType.TYPE_2), foreign, 0, 64, READ);
    }

    @Test
    @DisplayName("KEY-08: a type 2 window of no bytes is none: MW_BIND_ERR")
    void noBytes() {
        bindFails(window(WindowType.TYPE_2), ground, 0, 0, READ);
    }

    @Test
    @DisplayName("KEY-08: a region that is gone when its turn comes cannot be bound to")
    void regionGone() {
        MemoryRegion other = device.register(memory.inside(), AccessFlags.MW_BIND);
        SendWorkRequest request = bindRequest(other, 0, 8, READ);
        other.close();
        MemoryWindow window = window(WindowType.TYPE_2);
        device.posts(request.window(window, window.rKey()));
        device.completes(9, WcStatus.MW_BIND_ERR);
    }

    @Test
    @DisplayName("KEY-08: LOCAL_INV takes a window of type 2 back, and the region is free again")
    void invalidatedLocally() {
        MemoryWindow window = bound(WindowType.TYPE_2, 0, 64, WRITE);
        assertEquals(
                VerbsException.Errno.EBUSY,
                assertThrows(VerbsException.class, ground::close).errno());
        device.posts(Host.request(WrOpcode.LOCAL_INV, 1).invalidate(window.rKey()));
        assertEquals(WcOpcode.LOCAL_INV, device.completes(1).opcode());
        long address = ground.address();
        ground.close();
        denied(write(address, window.rKey(), 8));
    }

    @Test
    @DisplayName("KEY-08: LOCAL_INV of a window of type 1 fails")
    void typeOneIsNotInvalidated() {
        MemoryWindow window = bound(WindowType.TYPE_1, 0, 64, WRITE);
        device.posts(Host.request(WrOpcode.LOCAL_INV, 1).invalidate(window.rKey()));
        device.completes(1, WcStatus.LOC_QP_OP_ERR);
    }

    @Test
    @DisplayName("KEY-08: LOCAL_INV of a region that windows are bound to fails: they would outlive it")
    void regionUnderAWindow() {
        bound(WindowType.TYPE_2, 0, 64, WRITE);
        device.posts(Host.request(WrOpcode.LOCAL_INV, 1).invalidate(ground.rKey()));
        device.completes(1, WcStatus.LOC_QP_OP_ERR);
    }

    @Test
    @DisplayName("KEY-08, OPS-07: a SEND with invalidate takes a window of type 2 back, and tells which")
    void invalidatedByThePeer() {
        MemoryWindow window = bound(WindowType.TYPE_2, 0, 64, WRITE);
        device.receives(1, 512, 64);
        peer.sends(sendOnlyInv(n, window.rKey()).payload(8).ackReq());
        peer.expects(ack(n));
        assertEquals(window.rKey(), device.completes(1).invalidatedKey());
        peer.sends(writeOnly(plus(n, 1))
                .reth(ground.address(), window.rKey(), 8)
                .payload(8)
                .ackReq());
        refused(Rule.REMOTE_ACCESS, plus(n, 1), Syndrome.NAK_REMOTE_ACCESS, AsyncEventType.QP_ACCESS_ERR);
        memory.isUntouched(0, 512);
    }

    @ParameterizedTest
    @CsvSource({"TYPE_1, false", "TYPE_2, true"})
    @DisplayName("OPS-07: SEND with invalidate of a window of type 1, or of another queue pair's, is a fault")
    void invalidatesNotHis(WindowType type, boolean bindByAnother) {
        MemoryWindow window = window(type);
        if (bindByAnother) {
            device.another(Peer.QPN + 1)
                    .postSend(bindRequest(ground, 0, 64, WRITE).window(window, window.rKey()));
        } else {
            device.qp.bind(window, bindRequest(ground, 0, 64, WRITE));
        }
        settle();
        device.forgets();
        device.receives(1, 512, 64);
        peer.sends(sendOnlyInv(n, window.rKey()).payload(8).ackReq());
        assertEquals(Rule.INVALIDATE_FAULT, peer.decision());
        device.completes(1, WcStatus.LOC_PROT_ERR);
    }

    @Test
    @DisplayName("KEY-09: a window that is taken back in the middle of a WRITE ends it at the next packet")
    void goesInTheMiddle() {
        MemoryWindow window = bound(WindowType.TYPE_2, 0, 1024, WRITE);
        peer.sends(writeFirst(n).reth(ground.address(), window.rKey(), 700).payload(256));
        window.close();
        peer.sends(writeMiddle(plus(n, 1)).payload(256));
        refused(Rule.REMOTE_ACCESS, plus(n, 1), Syndrome.NAK_REMOTE_ACCESS, AsyncEventType.QP_ACCESS_ERR);
        memory.isUntouched(256, 444);
    }

    @Test
    @DisplayName("KEY-08: however windows are bound and used, the peer reaches what they cover and nothing else")
    void neverReachesOutside() {
        Random random = new Random(20_26);
        byte[] model = memory.get(0, 4096);
        int accepted = 0;
        for (int round = 0; round < 600; round++) {
            WindowType type = random.nextBoolean() ? WindowType.TYPE_1 : WindowType.TYPE_2;
            boolean zeroBased = type == WindowType.TYPE_2 && random.nextBoolean();
            int start = random.nextInt(4000);
            int size = 1 + random.nextInt(96);
            MemoryWindow window = bound(type, start, size, WRITE | (zeroBased ? AccessFlags.ZERO_BASED : 0));
            int from = random.nextInt(64) - 8; // counted from the window's start
            int length = random.nextInt(40);
            long origin = zeroBased ? 0 : ground.address() + start;
            WirePacket write = write(origin + from, window.rKey(), length);
            peer.sends(write);
            boolean inside = length == 0 || from >= 0 && from + length <= size;
            assertEquals(
                    inside ? Rule.ACCEPTED : Rule.REMOTE_ACCESS,
                    peer.decision(),
                    () -> "window of " + size + " bytes, " + length + " bytes at " + from);
            if (inside) {
                accepted++;
                System.arraycopy(write.bytes(), 0, model, start + Math.max(0, from), length);
                n = plus(n, 1);
            } else {
                reconnect();
            }
            memory.holds(0, model);
            window.close();
            peer.getsAll();
        }
        int inside = accepted;
        assertTrue(inside > 150 && inside < 450, () -> inside + " of 600 were inside");
    }

    private void reconnect() {
        device.forgets();
        device.to(QpState.RESET);
        device.toInit();
        device.toRtr();
        device.toRts();
        n = new Setup().peerPsn;
    }

    @Test
    @DisplayName(
            "KEY-07: an allocated region opens what was mapped once REG_MR is done, and is registered anew after LOCAL_INV")
    void fastRegistration() {
        MemoryRegion fast = device.pd.allocateRegion();
        int unborn = fast.rKey();
        fast.map(memory.inside().asSlice(256, 64), 0x1000);
        int first = MemoryWindow.nextKey(unborn);
        device.posts(Host.request(WrOpcode.REG_MR, 1).register(fast, first, Setup.ALL_ACCESS));
        assertEquals(WcOpcode.REG_MR, device.completes(1).opcode());
        assertEquals(first, fast.rKey());
        WirePacket write = write(0x1000 + 56, first, 8);
        peer.sends(write);
        peer.expects(ack(n));
        memory.holds(256 + 56, write.bytes());
        device.posts(Host.request(WrOpcode.LOCAL_INV, 2).invalidate(first));
        device.completes(2);
        fast.map(memory.inside().asSlice(512, 32), 0);
        int second = MemoryWindow.nextKey(first);
        device.posts(Host.request(WrOpcode.REG_MR, 3).register(fast, second, Setup.ALL_ACCESS));
        device.completes(3);
        peer.sends(writeOnly(plus(n, 1)).reth(0, second, 32).payload(32).ackReq());
        peer.expects(ack(plus(n, 1)));
        peer.sends(writeOnly(plus(n, 2)).reth(0x1000, first, 8).payload(8));
        refused(Rule.REMOTE_ACCESS, plus(n, 2), Syndrome.NAK_REMOTE_ACCESS, AsyncEventType.QP_ACCESS_ERR);
    }

    @Test
    @DisplayName("KEY-07: before REG_MR an allocated region opens nothing")
    void notRegisteredYet() {
        MemoryRegion fast = device.pd.allocateRegion();
        fast.map(memory.inside(), 0);
        denied(write(0, fast.rKey(), 8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"twice", "unmapped", "foreign"})
    @DisplayName("KEY-07: REG_MR of a region that is registered, has no memory, or is another domain's fails")
    void registeredWrongly(String how) {
        MemoryRegion fast = (how.equals("foreign") ? device.context.allocPd() : device.pd).allocateRegion();
        if (!how.equals("unmapped")) {
            fast.map(memory.inside(), 0);
        }
        if (how.equals("twice")) {
            device.posts(Host.request(WrOpcode.REG_MR, 1).register(fast, fast.rKey(), Setup.ALL_ACCESS));
            device.completes(1);
        }
        device.posts(Host.request(WrOpcode.REG_MR, 2).register(fast, fast.rKey(), Setup.ALL_ACCESS));
        device.completes(2, WcStatus.LOC_QP_OP_ERR);
    }

    @Test
    @DisplayName("KEY-07: a SEND with invalidate ends a fast registration too")
    void fastRegistrationIsInvalidatedByThePeer() {
        MemoryRegion fast = device.pd.allocateRegion();
        fast.map(memory.inside(), 0);
        device.posts(Host.request(WrOpcode.REG_MR, 1).register(fast, fast.rKey(), Setup.ALL_ACCESS));
        device.completes(1);
        device.receives(2, 512, 64);
        peer.sends(sendOnlyInv(n, fast.rKey()).payload(8).ackReq());
        peer.expects(ack(n));
        device.completes(2);
        device.posts(Host.request(WrOpcode.REG_MR, 3).register(fast, fast.rKey(), Setup.ALL_ACCESS));
        device.completes(3);
    }
}
