package org.rdma4j.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.rdma4j.link.loop.LoopNetwork;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.verbs.VerbsException.Errno;
import org.rdma4j.wire.Gid;

/** Two devices on one network that the test itself drives, and a pair of connected queue pairs on them. */
final class TwoDevices implements AutoCloseable {

    static final int DEPTH = 8;
    static final int SGE = 2;
    static final int INLINE = 32;

    private final LoopNetwork network = new LoopNetwork();
    final DeviceContext here = device(1);
    final DeviceContext there = device(2);
    final ProtectionDomain pd = here.allocPd();
    final ProtectionDomain pdThere = there.allocPd();
    final CompletionChannel channel = here.createCompletionChannel();
    final CompletionQueue cq = here.createCq(64, channel);
    final CompletionQueue cqThere = there.createCq(64);
    final QueuePair qp = pd.createQp(attributes(cq));
    final QueuePair peer = pdThere.createQp(attributes(cqThere));
    final MemoryRegion region = pd.register(Arena.ofAuto().allocate(4096), AccessFlags.LOCAL_WRITE);
    final MemoryRegion regionThere = pdThere.register(Arena.ofAuto().allocate(4096), Connecting.ACCESS);
    final SendWorkRequest send = new SendWorkRequest();
    final ReceiveWorkRequest receive = new ReceiveWorkRequest();

    private static QpInitAttributes attributes(CompletionQueue cq) {
        return QpInitAttributes.rc(cq)
                .withDepths(DEPTH, DEPTH)
                .withSge(SGE, SGE)
                .withInline(INLINE);
    }

    private DeviceContext device(int host) {
        Random random = new Random(host);
        return DeviceContext.on(
                network.join(Gid.ofIpv4(0x0A00_0000 | host)),
                DeviceOptions.defaults().withProgress(Progress.CALLER).withRandom(random::nextInt));
    }

    TwoDevices connected() {
        Connecting.both(qp, peer);
        return this;
    }

    void run() {
        for (int round = 0; round < 40; round++) {
            here.progress();
            there.progress();
        }
    }

    /** A SEND of 8 bytes. */
    SendWorkRequest send(long wrId) {
        return send.reset(WrOpcode.SEND).wrId(wrId).sge(region, 0, 8);
    }

    void postReceives(QueuePair to, MemoryRegion memory, int count) {
        for (int id = 0; id < count; id++) {
            to.postReceive(receive.reset(id).sge(memory, 64L * id, 64));
        }
    }

    static List<WorkCompletion> take(CompletionQueue from) {
        List<WorkCompletion> taken = new ArrayList<>();
        for (WorkCompletion next = new WorkCompletion(); from.poll(next); next = new WorkCompletion()) {
            taken.add(next);
        }
        return taken;
    }

    static List<Long> ids(List<WorkCompletion> completions) {
        return completions.stream().map(WorkCompletion::wrId).toList();
    }

    static VerbsException refused(Errno errno, String named, Runnable verb) {
        VerbsException refusal = assertThrows(VerbsException.class, verb::run);
        assertEquals(errno, refusal.errno(), refusal.getMessage());
        assertTrue(refusal.getMessage().contains(named), refusal.getMessage());
        return refusal;
    }

    @Override
    public void close() {
        here.close();
        there.close();
    }
}
