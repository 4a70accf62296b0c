package org.rdma4j.tools.perf;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.security.SecureRandom;
import java.time.Duration;
import org.rdma4j.iwarp.IwarpConnections;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.tools.CompletionFailure;
import org.rdma4j.tools.ToolException;
import org.rdma4j.tools.exchange.KeyRecord;
import org.rdma4j.verbs.AddressHandle;
import org.rdma4j.verbs.CompletionChannel;
import org.rdma4j.verbs.CompletionQueue;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.SharedReceiveQueue;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.verbs.XrcDomain;
import org.rdma4j.wire.IpText;

/**
 * This end's queue pairs and memory. Each queue pair has two areas: it sends from the one, and the other is its target:
 * for receives and for the peer.
 */
final class Endpoint implements AutoCloseable {

    private static final int PSN_BITS = 24;

    final CompletionQueue sendCq;
    final CompletionQueue receiveCq;
    final CompletionChannel events;
    WorkCompletion completion = new WorkCompletion();
    private final CmConnector connector;
    private final DeviceContext device;
    private final Plan plan;
    private final Dialogue.Terms terms;
    private final ServiceSetup setup;
    private final Arena arena = Arena.ofShared();
    private final long area;
    private final MemorySegment memory;
    private final ProtectionDomain pd;
    private final MemoryRegion region;
    private final SharedReceiveQueue srq; // null where each queue pair has its own
    private final Credits credits; // of SENDs over iWARP; null else
    private final XrcDomain domain; // of XRC, and its receiving ends; null else
    private final QueuePair[] targets;
    private final QueuePair[] queuePairs;
    private final AddressHandle[] ways; // of datagrams
    private final KeyRecord[] own;
    private final SecureRandom random = new SecureRandom();
    private final SendWorkRequest send = new SendWorkRequest();
    private final ReceiveWorkRequest receive = new ReceiveWorkRequest();
    private KeyRecord[] peer;
    private Cycle cycle;
    private int size;

    /** @param connector makes the queue pairs connected; {@code null} where {@link #connect} does that */
    Endpoint(DeviceContext device, Plan plan, Dialogue.Terms terms, CmConnector connector) {
        this.connector = connector;
        this.device = device;
        this.plan = plan;
        this.terms = terms;
        this.setup = new ServiceSetup(plan, terms);
        int count = plan.queuePairs();
        area = Math.max(plan.size(), terms.cycleBuffer());
        memory = arena.allocate(2 * count * area + setup.headroom(), 4096);
        pd = device.allocPd();
        region = pd.register(memory, AccessFlags.LOCAL_WRITE | remoteAccess());
        events = plan.events() ? device.createCompletionChannel() : null;
        boolean receives = plan.operation() == PerfTest.Operation.SEND;
        int rxDepth = receives ? plan.rxDepth() : 1;
        sendCq = device.createCq(Math.multiplyExact(count, plan.txDepth() + 1), events);
        receiveCq = device.createCq(Math.multiplyExact(plan.useSrq() ? 1 : count, rxDepth), events);
        domain = plan.isXrc() ? device.openXrcDomain() : null;
        srq = sharedQueue(rxDepth);
        boolean credited = device.family(IwarpConnections.class).isPresent();
        credits = receives && credited && !plan.test().latency ? new Credits(pd, arena, count, rxDepth) : null;
        targets = new QueuePair[plan.isXrc() ? count : 0];
        queuePairs = new QueuePair[count];
        ways = new AddressHandle[count];
        own = new KeyRecord[count + targets.length]; // first those that send
        for (int index = 0; index < count; index++) {
            queuePairs[index] = create(setup.queuePair(sendCq)
                    .withCqs(sendCq, receiveCq)
                    .withSrq(plan.isXrc() ? null : srq)
                    .withDepths(plan.txDepth() + 1, rxDepth)
                    .withInline(plan.inline()));
            own[index] = record(queuePairs[index], index);
        }
        for (int index = 0; index < targets.length; index++) {
            targets[index] = domain.createQp();
            setup.initialize(targets[index], remoteAccess());
            own[count + index] = record(targets[index], index);
        }
        use(plan.size());
    }

    private SharedReceiveQueue sharedQueue(int depth) {
        if (plan.isXrc()) {
            return pd.createXrcSrq(depth, 1, domain, receiveCq);
        }
        return plan.useSrq() ? pd.createSrq(depth, 1) : null;
    }

    private KeyRecord record(QueuePair qp, int index) {
        return new KeyRecord(
                0,
                plan.outReads(),
                qp.qpNum(),
                random.nextInt(1 << PSN_BITS),
                credits != null ? credits.rKey() : remoteAccess() == 0 ? 0 : region.rKey(),
                credits != null ? credits.address(index) : region.address() + target(index),
                device.queryGid(plan.gidIndex()),
                plan.isXrc() ? srq.number() : 0);
    }

    private QueuePair create(QpInitAttributes attributes) {
        if (connector != null) {
            return connector.connect(pd, attributes, plan.outReads());
        }
        QueuePair qp = pd.createQp(attributes);
        setup.initialize(qp, remoteAccess());
        return qp;
    }

    private int remoteAccess() {
        return switch (plan.operation()) {
            case SEND -> 0;
            case WRITE -> AccessFlags.REMOTE_WRITE;
            case READ -> AccessFlags.REMOTE_READ;
            case ATOMIC -> AccessFlags.REMOTE_ATOMIC;
        };
    }

    /** Bytes from the memory's start to a queue pair's target area. */
    private long target(int index) {
        return (plan.queuePairs() + index) * area;
    }

    KeyRecord[] records() {
        return own.clone();
    }

    int count() {
        return queuePairs.length;
    }

    /** Moves every queue pair to RTS. */
    void connect(KeyRecord[] remote) {
        peer = remote;
        if (connector != null) {
            return;
        }
        for (int index = 0; index < queuePairs.length; index++) {
            // With XRC the peer's records go on with its receiving ends.
            KeyRecord to = remote[plan.isXrc() ? count() + index : index];
            ways[index] = setup.connect(queuePairs[index], own[index], to);
        }
        for (int index = 0; index < targets.length; index++) {
            setup.connectTarget(targets[index], own[count() + index], remote[index]);
        }
    }

    /** Messages have this size from now on. */
    void use(int bytes) {
        size = bytes;
        cycle = new Cycle(bytes, terms);
        if (credits != null) {
            credits.reset();
        }
    }

    /** Whether so many messages of a queue pair may have been sent. */
    boolean allows(int index, int messages) {
        return credits == null || credits.allows(index, messages);
    }

    /** So many messages have come to a queue pair; the peer may have to be told. */
    void taken(int index, int messages) {
        if (credits != null) {
            credits.taken(index, messages, queuePairs[index], peer[index]);
        }
    }

    /** Takes the completions of what {@link #taken} has told. */
    void takeTold() {
        while (credits != null && poll(sendCq, "the WRITE of a credit")) {
            // It is told.
        }
    }

    /** Posts a receive for message {@code number} of a queue pair, or of any other that shares it; its wr_id is the index. */
    void postReceive(int index, long number) {
        receive.reset(index).sge(region, target(index) + cycle.offset(number), setup.headroom() + size);
        if (srq == null) {
            queuePairs[index].postReceive(receive);
        } else {
            srq.post(receive);
        }
    }

    /** Posts message {@code number} of a queue pair; its completion's wr_id is the queue pair's index. */
    void postMessage(int index, long number, boolean signaled) {
        long offset = cycle.offset(number);
        SendWorkRequest wr = send.reset(opcode()).wrId(index);
        wr.sge(region, index * area + offset, size);
        if (ways[index] != null) {
            wr.ud(ways[index], peer[index].qpn(), ServiceSetup.Q_KEY);
        } else {
            wr.remote(peer[index].address() + offset, peer[index].rKey());
        }
        if (plan.operation() == PerfTest.Operation.ATOMIC && !plan.compareSwap()) {
            wr.fetchAdd(1);
        }
        if (plan.isXrc()) {
            wr.remoteSrq(peer[index].srqn());
        }
        if (size <= plan.inline()) {
            wr.inline();
        }
        queuePairs[index].postSend(signaled ? wr.signaled() : wr);
    }

    private WrOpcode opcode() {
        return switch (plan.operation()) {
            case SEND -> WrOpcode.SEND;
            case WRITE -> WrOpcode.RDMA_WRITE;
            case READ -> WrOpcode.RDMA_READ;
            case ATOMIC -> plan.compareSwap() ? WrOpcode.ATOMIC_CMP_AND_SWP : WrOpcode.ATOMIC_FETCH_AND_ADD;
        };
    }

    /**
     * Takes one completion into {@link #completion}.
     *
     * @param what the work that is awaited, for the message where it failed
     * @return false where none is there
     */
    boolean poll(CompletionQueue cq, String what) {
        if (!cq.poll(completion)) {
            return false;
        }
        if (!completion.isSuccess()) {
            throw failure(what);
        }
        return true;
    }

    /** The completion that was taken last, as the error that it is; one that was only flushed, as what flushed it. */
    ToolException failure(String what) {
        if (completion.status() == WcStatus.WR_FLUSH_ERR && !takeCause(sendCq)) {
            takeCause(receiveCq);
        }
        return CompletionFailure.of(what, completion, IpText.of(peer[0].gid().toAddress()), device);
    }

    /** The first failure is in the other queue, maybe: the work that failed, and not with it. */
    private boolean takeCause(CompletionQueue cq) {
        WorkCompletion other = new WorkCompletion();
        while (cq.poll(other)) {
            if (!other.isSuccess() && other.status() != WcStatus.WR_FLUSH_ERR) {
                completion = other;
                return true;
            }
        }
        return false;
    }

    DeviceContext device() {
        return device;
    }

    /** The byte that a WRITE latency test watches: the last one of the first message's place in the target. */
    MemorySegment lastByteOfTarget() {
        return memory.asSlice(target(0) + size - 1L, 1);
    }

    /** The byte that it writes from. */
    MemorySegment lastByteToSend() {
        return memory.asSlice(size - 1L, 1);
    }

    @Override
    public void close() {
        if (connector != null) {
            connector.close();
        }
        for (QueuePair queuePair : queuePairs) {
            queuePair.close();
        }
        for (QueuePair target : targets) {
            target.close();
        }
        for (AddressHandle way : ways) {
            if (way != null) {
                way.close();
            }
        }
        acknowledgeEvents();
        if (srq != null) {
            srq.close();
        }
        if (domain != null) {
            domain.close();
        }
        sendCq.close();
        receiveCq.close();
        region.close();
        if (credits != null) {
            credits.close();
        }
        pd.close();
        arena.close();
    }

    private void acknowledgeEvents() {
        try {
            CompletionQueue cq = events == null ? null : events.getEvent(Duration.ZERO);
            while (cq != null) {
                cq.ackEvents(1);
                cq = events.getEvent(Duration.ZERO);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
