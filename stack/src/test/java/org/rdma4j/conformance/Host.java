package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.AsyncEvent;
import org.rdma4j.verbs.AsyncEventType;
import org.rdma4j.verbs.CompletionChannel;
import org.rdma4j.verbs.CompletionQueue;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceOptions;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.Progress;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QpType;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.SharedReceiveQueue;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.verbs.XrcDomain;

/** The device under test with one queue pair, used through the verbs as an application would. */
final class Host implements AutoCloseable {

    private final RcScene scene;
    private final Setup setup;
    final DeviceContext context;
    final ProtectionDomain pd;
    final CompletionChannel channel;
    final CompletionQueue cq;
    final XrcDomain domain; // of an XRC target
    final SharedReceiveQueue srq; // null without Setup.withSrq
    final QueuePair qp;

    Host(RcScene scene, HandPlayedLink link, VirtualClock clock, Setup setup) {
        this.scene = scene;
        this.setup = setup;
        Random random = new Random(0x5EED);
        context = DeviceContext.on(
                link.withReceiveBuffer(setup.receiveBuffer),
                DeviceOptions.defaults()
                        .withProgress(Progress.CALLER)
                        .withClock(clock)
                        .withRandom(random::nextInt)
                        .withCongestionControl(setup.congestion));
        pd = context.allocPd();
        channel = context.createCompletionChannel();
        cq = context.createCq(setup.completions, channel);
        if (setup.type == QpType.XRC_RECV) {
            domain = context.openXrcDomain();
            srq = pd.createXrcSrq(setup.srqDepth, setup.maxSge, domain, cq);
            qp = domain.createQp();
        } else {
            domain = null;
            srq = setup.srqDepth == 0 ? null : pd.createSrq(setup.srqDepth, setup.maxSge);
            qp = pd.createQp(attributes(cq));
        }
    }

    QpInitAttributes attributes(CompletionQueue queue) {
        return QpInitAttributes.of(setup.type, queue)
                .withDepths(setup.maxSends, setup.maxReceives)
                .withSge(setup.maxSge, setup.maxSge)
                .withInline(setup.maxInline)
                .withSignalAll(setup.signalAll)
                .withSrq(srq)
                .withExtendedOps(setup.extendedOps);
    }

    int qpn() {
        return qp.qpNum();
    }

    // States.

    void toInit() {
        toInit(qp);
    }

    private void toInit(QueuePair pair) {
        QpAttributes identity = new QpAttributes().state(QpState.INIT).pkeyIndex(0);
        pair.modify(
                switch (setup.type) {
                    case UD -> identity.port(1).qkey(setup.qKey);
                    case GSI -> identity.qkey(setup.qKey);
                    case RC, UC, XRC_SEND, XRC_RECV -> identity.port(1).accessFlags(setup.access);
                });
    }

    void toRtr() {
        toRtr(qp, Peer.QPN);
    }

    private void toRtr(QueuePair pair, int destQpn) {
        QpAttributes ready = new QpAttributes().state(QpState.RTR);
        if (isConnected()) {
            ready.av(AhAttributes.to(HandPlayedLink.PEER))
                    .pathMtu(setup.pathMtu)
                    .destQpNum(destQpn)
                    .rqPsn(setup.peerPsn);
        }
        if (setup.type == QpType.RC || setup.type == QpType.XRC_RECV) {
            ready.maxDestRdAtomic(setup.maxDestRdAtomic).minRnrTimer(setup.minRnrTimer);
        }
        pair.modify(ready);
    }

    void toRts() {
        toRts(qp);
        scene.settle();
    }

    private void toRts(QueuePair pair) {
        QpAttributes ready = new QpAttributes().state(QpState.RTS).sqPsn(setup.devicePsn);
        if (setup.type == QpType.XRC_RECV) {
            ready.timeout(setup.timeout);
        }
        if (setup.type == QpType.RC || setup.type == QpType.XRC_SEND) {
            ready.timeout(setup.timeout)
                    .retryCount(setup.retryCount)
                    .rnrRetry(setup.rnrRetry)
                    .maxRdAtomic(setup.maxRdAtomic);
        }
        pair.modify(ready);
    }

    private boolean isConnected() {
        return setup.type != QpType.UD && setup.type != QpType.GSI;
    }

    /** One more queue pair like the first, connected to another of the peer's. */
    QueuePair another(int destQpn) {
        QueuePair pair = pd.createQp(attributes(cq));
        toInit(pair);
        toRtr(pair, destQpn);
        toRts(pair);
        return pair;
    }

    void to(QpState state) {
        qp.modify(new QpAttributes().state(state));
        scene.settle();
    }

    void isIn(QpState state) {
        assertEquals(state, qp.state());
    }

    // Memory.

    MemoryRegion register(MemorySegment memory) {
        return pd.register(memory, Setup.ALL_ACCESS);
    }

    MemoryRegion register(MemorySegment memory, int access) {
        return pd.register(memory, access | AccessFlags.LOCAL_WRITE);
    }

    // Posting.

    /** A signaled request to the peer's memory, to be filled further. */
    static SendWorkRequest request(WrOpcode opcode, long id) {
        return unsignaled(opcode, id).signaled();
    }

    /** The same, which completes in silence. */
    static SendWorkRequest unsignaled(WrOpcode opcode, long id) {
        return new SendWorkRequest().reset(opcode).wrId(id).remote(Peer.ADDRESS, Peer.R_KEY);
    }

    void posts(SendWorkRequest... requests) {
        for (SendWorkRequest request : requests) {
            qp.postSend(request);
        }
        scene.settle();
    }

    /** Posts them as one list. */
    void postsList(SendWorkRequest... requests) {
        qp.postSend(List.of(requests));
        scene.settle();
    }

    /** Posts a signaled operation on the scene's memory from its start. */
    void posts(WrOpcode opcode, long id, int length) {
        posts(request(opcode, id).sge(scene.region, 0, length));
    }

    void receives(long id, long offset, int length) {
        ReceiveWorkRequest receive = new ReceiveWorkRequest().reset(id).sge(scene.region, offset, length);
        if (srq == null) {
            qp.postReceive(receive);
        } else {
            srq.post(receive);
        }
        scene.settle();
    }

    // What comes of it.

    /** The next completion is this one, and a success. */
    WorkCompletion completes(long id) {
        return completes(id, WcStatus.SUCCESS);
    }

    WorkCompletion completes(long id, WcStatus status) {
        WorkCompletion completion = new WorkCompletion();
        assertTrue(cq.poll(completion), () -> "no completion came; wr_id " + id + " was expected");
        assertEquals(id, completion.wrId(), completion::toString);
        assertEquals(status, completion.status(), completion::toString);
        assertEquals(qpn(), completion.qpNum());
        return completion;
    }

    void completesNothing() {
        WorkCompletion completion = new WorkCompletion();
        assertFalse(cq.poll(completion), completion::toString);
    }

    /** Takes whatever completions and events there are, without a look. */
    void forgets() {
        WorkCompletion completion = new WorkCompletion();
        while (cq.poll(completion) || nextEvent() != null) {
            // None of the story's business.
        }
    }

    AsyncEvent raises(AsyncEventType type) {
        AsyncEvent event = nextEvent();
        assertNotNull(event, () -> "no event came; " + type + " was expected");
        assertEquals(type, event.type());
        return event;
    }

    void raisesNothing() {
        assertNull(nextEvent());
    }

    private AsyncEvent nextEvent() {
        try {
            return context.getAsyncEvent(Duration.ZERO);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** So many packets got this decision since the device was opened. */
    void counted(Rule rule, long times) {
        assertEquals(times, context.decisions(rule), rule.name());
    }

    @Override
    public void close() {
        context.close();
    }
}
