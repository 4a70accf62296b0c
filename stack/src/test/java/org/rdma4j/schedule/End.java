package org.rdma4j.schedule;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.rdma4j.link.Link;
import org.rdma4j.link.fault.FaultyLink;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.CompletionQueue;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceOptions;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.Progress;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QueuePair;

/**
 * One of two ends. Its memory, in this order, each part with a guard zone behind it that nothing may touch: what the
 * peer's WRITEs and atomics change; what the peer READs and our SENDs and WRITEs carry, which nobody changes; where our
 * READs and atomics put what they got; where receives put their messages.
 */
final class End implements AutoCloseable {

    static final int TARGET_SIZE = 16 << 10;
    static final int SOURCE_SIZE = 16 << 10;
    static final int SINK_SIZE = 256 << 10;
    static final int INBOX_SIZE = 256 << 10;
    static final int LONGEST = 12 << 10;
    static final int MAX_SGE = 4;
    static final int MAX_INLINE = 128;

    private static final int GUARD = 256;
    private static final byte GUARD_BYTE = (byte) 0xE7;
    private static final int ACCESS = AccessFlags.LOCAL_WRITE
            | AccessFlags.REMOTE_WRITE
            | AccessFlags.REMOTE_READ
            | AccessFlags.REMOTE_ATOMIC
            | AccessFlags.FLUSH_GLOBAL;

    final String name;
    final Schedule schedule;
    final DeviceContext device;
    final CompletionQueue sendCq;
    final CompletionQueue receiveCq;
    final QueuePair queuePair;
    final MemorySegment target;
    final MemorySegment source;
    final MemorySegment sink;
    final MemorySegment inbox;
    final MemoryRegion targetRegion;
    final MemoryRegion sourceRegion;
    final MemoryRegion sinkRegion;
    final MemoryRegion inboxRegion;
    private final List<MemorySegment> guards = new ArrayList<>();
    private final ProtectionDomain pd;
    private final MemorySegment memory;
    private long used;

    End(String name, Link link, Schedule schedule, Random random, World world) {
        this.name = name;
        this.schedule = schedule;
        device = DeviceContext.on(
                new FaultyLink(link, schedule.faults(), random),
                DeviceOptions.defaults()
                        .withProgress(Progress.CALLER)
                        .withRandom(random::nextInt)
                        .withClock(world::now));
        pd = device.allocPd();
        sendCq = device.createCq(256);
        receiveCq = device.createCq(256);
        queuePair = pd.createQp(QpInitAttributes.rc(sendCq)
                .withCqs(sendCq, receiveCq)
                .withDepths(schedule.sendDepth(), schedule.receiveDepth())
                .withSge(MAX_SGE, MAX_SGE)
                .withInline(MAX_INLINE)
                .withExtendedOps(true));
        memory = Arena.ofAuto().allocate(TARGET_SIZE + SOURCE_SIZE + SINK_SIZE + INBOX_SIZE + 5L * GUARD, 64);
        guard();
        target = part(TARGET_SIZE);
        source = part(SOURCE_SIZE);
        sink = part(SINK_SIZE);
        inbox = part(INBOX_SIZE);
        byte[] bytes = new byte[SOURCE_SIZE];
        random.nextBytes(bytes);
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, source, 0, SOURCE_SIZE);
        targetRegion = pd.register(target, ACCESS);
        sourceRegion = pd.register(source, AccessFlags.REMOTE_READ);
        sinkRegion = pd.register(sink, AccessFlags.LOCAL_WRITE);
        inboxRegion = pd.register(inbox, AccessFlags.LOCAL_WRITE);
    }

    private MemorySegment part(long size) {
        MemorySegment part = memory.asSlice(used, size);
        used += size;
        guard();
        return part;
    }

    private void guard() {
        MemorySegment guard = memory.asSlice(used, GUARD).fill(GUARD_BYTE);
        used += GUARD;
        guards.add(guard);
    }

    boolean guardsAreWhole() {
        for (MemorySegment guard : guards) {
            for (int at = 0; at < GUARD; at++) {
                if (guard.get(java.lang.foreign.ValueLayout.JAVA_BYTE, at) != GUARD_BYTE) {
                    return false;
                }
            }
        }
        return true;
    }

    void connect(End peer) {
        queuePair.modify(
                new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(ACCESS));
        queuePair.modify(new QpAttributes()
                .state(QpState.RTR)
                .av(AhAttributes.to(peer.device.queryGid(0)))
                .pathMtu(schedule.pathMtu())
                .destQpNum(peer.queuePair.qpNum())
                .rqPsn(schedule.firstPsn())
                .maxDestRdAtomic(schedule.maxRdAtomic())
                .minRnrTimer(schedule.rnrTimer()));
        queuePair.modify(new QpAttributes()
                .state(QpState.RTS)
                .sqPsn(schedule.firstPsn())
                .timeout(schedule.timeout())
                .retryCount(7)
                .rnrRetry(7)
                .maxRdAtomic(schedule.maxRdAtomic()));
    }

    @Override
    public void close() {
        device.close();
    }
}
