package org.rdma4j.tools.demo;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.random.RandomGenerator;
import org.rdma4j.iwarp.IwarpConnections;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.IwarpWiring;
import org.rdma4j.tools.ToolException;
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

/**
 * One of the two devices with what a program needs on it: a queue pair, a completion queue, and registered memory. Beside
 * the memory stands what it must hold; the two are compared byte by byte after every operation.
 */
final class DemoEnd implements AutoCloseable {

    static final int SIZE = 64 << 10;

    private static final int PATH_MTU = 1024;
    private static final int MOST_PIECES = 4;

    /** 0.64 ms: long enough to be seen, short enough not to be waited for. */
    private static final int RNR_TIMER = 12;

    private static final int ACCESS =
            AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;

    final String name;
    final DeviceContext device;
    final CompletionQueue completions;
    final QueuePair queuePair;
    final MemorySegment memory = Arena.ofAuto().allocate(SIZE, 4096);
    final MemoryRegion region;
    final byte[] expected = new byte[SIZE];

    private final ProtectionDomain domain;

    DemoEnd(String name, DeviceContext device, RandomGenerator random) {
        this.name = name;
        this.device = device;
        domain = device.allocPd();
        completions = device.createCq(64);
        queuePair = domain.createQp(QpInitAttributes.rc(completions)
                .withSge(MOST_PIECES, MOST_PIECES)
                .withExtendedOps(device.family(IwarpConnections.class).isPresent()));
        random.nextBytes(expected);
        MemorySegment.copy(MemorySegment.ofArray(expected), 0, memory, 0, SIZE);
        region = domain.register(memory, ACCESS);
    }

    /** What connects the queue pair over TCP. */
    IwarpWiring wiring() {
        return new IwarpWiring(device, List.of(queuePair), true, ACCESS);
    }

    /**
     * What every RDMA program does, here without a network of its own to exchange the numbers by: RESET, INIT, RTR, RTS.
     *
     * @param firstPsn of what goes from here to the peer
     */
    void connect(DemoEnd peer, int firstPsn, int peersFirstPsn) {
        queuePair.modify(
                new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(ACCESS));
        queuePair.modify(new QpAttributes()
                .state(QpState.RTR)
                .av(AhAttributes.to(peer.device.queryGid(0)))
                .pathMtu(PATH_MTU)
                .destQpNum(peer.queuePair.qpNum())
                .rqPsn(peersFirstPsn)
                .maxDestRdAtomic(4)
                .minRnrTimer(RNR_TIMER));
        queuePair.modify(new QpAttributes()
                .state(QpState.RTS)
                .sqPsn(firstPsn)
                .timeout(16)
                .retryCount(7)
                .rnrRetry(7)
                .maxRdAtomic(4));
    }

    /** More memory of the same domain, for an operation that takes its key away. */
    MemoryRegion register(MemorySegment more) {
        return domain.register(more, ACCESS);
    }

    void postReceive(long wrId, int offset, int size) {
        queuePair.postReceive(new ReceiveWorkRequest().reset(wrId).sge(region, offset, size));
    }

    /** From now on {@code size} bytes here must be those of {@code from}. */
    void expect(int offset, DemoEnd from, int fromOffset, int size) {
        System.arraycopy(from.expected, fromOffset, expected, offset, size);
    }

    void expect(int offset, long value) {
        MemorySegment.ofArray(expected).set(ValueLayout.JAVA_LONG_UNALIGNED, offset, value);
    }

    /** Puts a number into memory before an operation, as the program would. */
    void set(int offset, long value) {
        memory.set(ValueLayout.JAVA_LONG, offset, value);
        expect(offset, value);
    }

    /** @throws ToolException where a byte is not what it must be */
    void check(String operation) {
        long at = memory.mismatch(MemorySegment.ofArray(expected));
        if (at >= 0) {
            throw new ToolException(
                    ExitStatus.FAILED,
                    String.format(
                            "%s: byte %d of %s's memory is 0x%02x and must be 0x%02x",
                            operation, at, name, memory.get(ValueLayout.JAVA_BYTE, at), expected[(int) at]));
        }
    }

    @Override
    public void close() {
        device.close();
    }
}
