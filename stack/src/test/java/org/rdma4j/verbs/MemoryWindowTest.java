package org.rdma4j.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.rdma4j.link.loop.LoopNetwork;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.verbs.VerbsException.Errno;
import org.rdma4j.wire.Gid;

/** {@code ibv_alloc_mw}, {@code ibv_bind_mw}, {@code ibv_inc_rkey} and their like: what is refused, and when. */
class MemoryWindowTest {

    private static final int RIGHTS = AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND;

    private final LoopNetwork network = new LoopNetwork();
    private final DeviceContext device = device(1);
    private final DeviceContext other = device(2);
    private final ProtectionDomain pd = device.allocPd();
    private final CompletionQueue cq = device.createCq(16);
    private final QueuePair qp = pd.createQp(QpInitAttributes.rc(cq));
    private final MemoryRegion region = pd.register(Arena.ofAuto().allocate(4096), RIGHTS);
    private final MemoryWindow first = pd.allocateWindow(WindowType.TYPE_1);
    private final MemoryWindow second = pd.allocateWindow(WindowType.TYPE_2);
    private final SendWorkRequest bind =
            new SendWorkRequest().reset(WrOpcode.BIND_MW).signaled().bindTo(region, 0, 64, AccessFlags.REMOTE_READ);

    MemoryWindowTest() {
        Connecting.both(qp, other.allocPd().createQp(QpInitAttributes.rc(other.createCq(1))));
    }

    private DeviceContext device(int host) {
        return DeviceContext.on(
                network.join(Gid.ofIpv4(0x0A00_0000 | host)),
                DeviceOptions.defaults().withProgress(Progress.CALLER));
    }

    @AfterEach
    void close() {
        device.close();
        other.close();
    }

    private static void refused(Errno errno, String named, Runnable verb) {
        VerbsException refusal = assertThrows(VerbsException.class, verb::run);
        assertEquals(errno, refusal.errno(), refusal.getMessage());
        assertTrue(refusal.getMessage().contains(named), refusal.getMessage());
    }

    private void completes() {
        WorkCompletion completion = new WorkCompletion();
        assertTrue(cq.poll(completion));
        assertEquals(WcStatus.SUCCESS, completion.status());
    }

    @Test
    void nextKeyTurnsTheLowByteAlone() {
        assertEquals(0x12345601, MemoryWindow.nextKey(0x12345600));
        assertEquals(0xFFFFFF00, MemoryWindow.nextKey(0xFFFFFFFF));
    }

    @Test
    void eachTypeIsBoundInItsOwnWay() {
        refused(Errno.EINVAL, "type 2", () -> qp.bind(second, bind));
        refused(Errno.EINVAL, "type 1", () -> qp.postSend(bind.window(first, first.rKey())));
        refused(Errno.EINVAL, "needs a window", () -> qp.postSend(new SendWorkRequest().reset(WrOpcode.BIND_MW)));
    }

    @Test
    void keysKeepTheirIndex() {
        refused(Errno.EINVAL, "low byte", () -> qp.postSend(bind.window(second, second.rKey() ^ 0x100)));
        MemoryRegion fast = pd.allocateRegion();
        SendWorkRequest register = new SendWorkRequest().reset(WrOpcode.REG_MR);
        refused(Errno.EINVAL, "low byte", () -> qp.postSend(register.register(fast, fast.rKey() ^ 0x100, 0)));
    }

    @Test
    void rightsThatAWindowDoesNotHaveAreRefused() {
        bind.bindTo(region, 0, 64, AccessFlags.LOCAL_WRITE);
        refused(Errno.EINVAL, "0x1", () -> qp.postSend(bind.window(second, second.rKey())));
        bind.reset(WrOpcode.BIND_MW).bindTo(region, 0, 64, AccessFlags.ZERO_BASED);
        refused(Errno.EINVAL, "ZERO_BASED", () -> qp.bind(first, bind));
    }

    @Test
    void regionStaysAsItIsWhileWindowsAreBoundToIt() {
        qp.bind(first, bind);
        completes();
        refused(Errno.EBUSY, "1 memory windows", region::close);
        refused(Errno.EBUSY, "1 memory windows", () -> region.reregister(AccessFlags.LOCAL_WRITE));
        refused(
                Errno.EBUSY,
                "1 memory windows",
                () -> region.reregister(Arena.ofAuto().allocate(64), 0));
        ProtectionDomain elsewhere = device.allocPd();
        refused(Errno.EBUSY, "1 memory windows", () -> region.reregister(elsewhere));
        elsewhere.close();
        first.close();
        region.close();
    }

    @Test
    void domainStaysWhileWindowsAreInIt() {
        ProtectionDomain own = device.allocPd();
        MemoryWindow window = own.allocateWindow(WindowType.TYPE_2);
        refused(Errno.EBUSY, "1 regions, windows", own::close);
        window.close();
        window.close();
        own.close();
        refused(Errno.EINVAL, "deallocated", () -> qp.postSend(bind.window(window, window.rKey())));
    }

    @Test
    void windowOfAnotherDeviceIsRefused() {
        MemoryWindow window = other.allocPd().allocateWindow(WindowType.TYPE_2);
        refused(Errno.EINVAL, "another device", () -> qp.postSend(bind.window(window, window.rKey())));
    }

    @Test
    void onlyAllocatedRegionsAreRegisteredByWorkRequests() {
        SendWorkRequest register = new SendWorkRequest().reset(WrOpcode.REG_MR);
        refused(Errno.EINVAL, "allocated for it", () -> qp.postSend(register.register(region, region.rKey(), 0)));
        refused(Errno.EINVAL, "allocateRegion", () -> region.map(MemorySegment.ofArray(new byte[8]), 0));
        MemoryRegion fast = pd.allocateRegion();
        refused(Errno.EINVAL, "work requests", () -> fast.reregister(0));
        refused(
                Errno.EINVAL,
                "LOCAL_WRITE",
                () -> qp.postSend(register.register(fast, fast.rKey(), AccessFlags.REMOTE_WRITE)));
    }

    @Test
    void keyOfABatchedBindingIsTheWindowsOnceTheBatchIsPosted() {
        int before = second.rKey();
        int next = MemoryWindow.nextKey(before);
        qp.startSends();
        qp.addSend(bind.window(second, next));
        assertEquals(before, second.rKey());
        qp.abortSends();
        assertEquals(before, second.rKey(), "nothing was posted");
        qp.startSends();
        qp.addSend(bind);
        qp.completeSends();
        assertEquals(next, second.rKey());
    }

    @Test
    void wholeAddressSpaceIsNoRegion() {
        refused(
                Errno.EOPNOTSUPP,
                "implicit on-demand region",
                () -> pd.register(MemorySegment.NULL, 0, AccessFlags.ON_DEMAND));
        MemoryRegion paged = pd.register(Arena.ofAuto().allocate(1 << 20), AccessFlags.ON_DEMAND);
        paged.prefetch(0, 1 << 20);
        refused(Errno.EINVAL, "prefetch", () -> paged.prefetch(1, 1 << 20));
    }
}
