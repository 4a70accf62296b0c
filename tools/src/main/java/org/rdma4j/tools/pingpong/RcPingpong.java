package org.rdma4j.tools.pingpong;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.concurrent.TimeUnit;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.tools.CompletionFailure;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.PathMtu;
import org.rdma4j.tools.PollingPace;
import org.rdma4j.tools.ToolException;
import org.rdma4j.tools.exchange.PingpongRecord;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.CompletionChannel;
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
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.IpText;

/** One end of the game: a queue pair, a buffer that both ways share, and the rule that a ball is returned at once. */
final class RcPingpong implements AutoCloseable {

    private static final long RECEIVE_ID = 1;
    private static final long SEND_ID = 2;
    private static final byte FILL = 0x7B;
    private static final int PAGE = 4096;

    /** As long as the peer may take to send its last message again, with room for a few losses. */
    private static final long LINGER_QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final DeviceContext device;
    private final Plan plan;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment buffer;
    private final ProtectionDomain pd;
    private final MemoryRegion region;
    private final CompletionChannel events;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final PingpongRecord address;
    private final SendWorkRequest send = new SendWorkRequest();
    private final ReceiveWorkRequest receive = new ReceiveWorkRequest();
    private final PollingPace pace;
    private PingpongRecord peer;

    /**
     * What was asked for.
     *
     * @param size bytes a message
     * @param mtu path MTU, bytes
     * @param receiveDepth receives posted at a time
     * @param iterations messages each way
     * @param gidIndex entry of the device's GID table
     * @param trafficClass of the packets
     * @param events sleep instead of polling
     * @param check compare what arrives with what the client writes
     * @param timestamps keep the times between receives
     */
    record Plan(
            int size,
            int mtu,
            int receiveDepth,
            int iterations,
            int gidIndex,
            int trafficClass,
            boolean events,
            boolean check,
            boolean timestamps) {}

    /**
     * How it went.
     *
     * @param nanos from the first post to the last completion
     * @param intervals nanoseconds between two receive completions
     * @param notes what the user should know and is no failure
     */
    record Result(long nanos, LongSummaryStatistics intervals, List<String> notes) {}

    /** Prepares everything but the connection; receives are posted. */
    RcPingpong(DeviceContext device, Plan plan) {
        this.device = device;
        this.plan = plan;
        this.pace = new PollingPace(device);
        PathMtu.require(plan.mtu, device);
        long bytes = Integer.toUnsignedLong(plan.size);
        buffer = arena.allocate(bytes, PAGE).fill(FILL);
        pd = device.allocPd();
        region = pd.register(buffer, AccessFlags.LOCAL_WRITE);
        events = plan.events ? device.createCompletionChannel() : null;
        cq = device.createCq(plan.receiveDepth + 1, events);
        qp = pd.createQp(QpInitAttributes.rc(cq).withDepths(1, plan.receiveDepth));
        qp.modify(new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(0));
        address =
                new PingpongRecord(0, qp.qpNum(), new SecureRandom().nextInt(1 << 24), device.queryGid(plan.gidIndex));
        postReceives(plan.receiveDepth);
    }

    PingpongRecord address() {
        return address;
    }

    /** Moves the queue pair to RTS. */
    void connect(PingpongRecord remote) {
        peer = remote;
        if (remote.gid().equals(Gid.ZERO)) {
            throw new ToolException(ExitStatus.FAILED, "the peer gave no GID, and RoCE needs one: start it with -g");
        }
        qp.modify(new QpAttributes()
                .state(QpState.RTR)
                .av(new AhAttributes(remote.gid(), 0, plan.trafficClass, 0, plan.gidIndex))
                .pathMtu(plan.mtu)
                .destQpNum(remote.qpn())
                .rqPsn(remote.psn())
                .maxDestRdAtomic(1)
                .minRnrTimer(12));
        qp.modify(new QpAttributes()
                .state(QpState.RTS)
                .sqPsn(address.psn())
                .timeout(14)
                .retryCount(7)
                .rnrRetry(7)
                .maxRdAtomic(1));
    }

    private void postReceives(int count) {
        for (int index = 0; index < count; index++) {
            qp.postReceive(receive.reset(RECEIVE_ID).sge(region, 0, plan.size));
        }
    }

    private void postSend() {
        qp.postSend(send.reset(WrOpcode.SEND)
                .wrId(SEND_ID)
                .sge(region, 0, plan.size)
                .signaled());
    }

    /**
     * Plays until each end has sent and received as many messages as planned.
     *
     * @param first whether this end serves, and writes what is checked
     */
    Result play(boolean first) {
        LongSummaryStatistics intervals = new LongSummaryStatistics();
        List<String> notes = List.of();
        if (plan.events) {
            cq.requestNotify(false);
        }
        long start = System.nanoTime();
        boolean sending = false;
        boolean receiving = true;
        if (first) {
            if (plan.check) {
                writePages();
            }
            postSend();
            sending = true;
        }
        int sent = 0;
        int received = 0;
        int posted = plan.receiveDepth;
        long lastReceive = 0;
        WorkCompletion completion = new WorkCompletion();
        while (sent < plan.iterations || received < plan.iterations) {
            await(completion);
            if (!completion.isSuccess()) {
                notes = judge(completion, sent, received);
                break;
            }
            if (completion.wrId() == SEND_ID) {
                sent++;
                sending = false;
            } else {
                received++;
                receiving = false;
                if (plan.timestamps) {
                    long now = System.nanoTime();
                    if (received > 1) {
                        intervals.accept(now - lastReceive);
                    }
                    lastReceive = now;
                }
                if (--posted <= 1) {
                    postReceives(plan.receiveDepth - posted);
                    posted = plan.receiveDepth;
                }
            }
            if (sent < plan.iterations && !sending && !receiving) {
                postSend();
                sending = true;
                receiving = true;
            }
        }
        long nanos = System.nanoTime() - start;
        if (plan.check && !first) {
            checkPages();
        }
        return new Result(nanos, intervals, notes);
    }

    private void await(WorkCompletion completion) {
        while (!cq.poll(completion)) {
            if (!plan.events) {
                pace.nothing();
                continue;
            }
            try {
                if (events.getEvent(Duration.ofHours(1)) != null) {
                    cq.ackEvents(1);
                    cq.requestNotify(false);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ToolException(ExitStatus.FAILED, "interrupted", e);
            }
        }
        pace.found();
    }

    /**
     * The exchange is over before the game, so the end that is done first just goes. Where all that is missing is its
     * acknowledgement of the very last message, the game was whole.
     */
    private List<String> judge(WorkCompletion completion, int sent, int received) {
        boolean lastSend = completion.wrId() == SEND_ID && sent == plan.iterations - 1 && received == plan.iterations;
        if (lastSend && completion.status() == WcStatus.RETRY_EXC_ERR) {
            return List.of("the last message was not acknowledged: the peer has gone already");
        }
        String what = completion.wrId() == SEND_ID ? "SEND " + (sent + 1) : "receive " + (received + 1);
        throw CompletionFailure.of(
                what + " of " + plan.iterations,
                completion,
                IpText.of(peer.gid().toAddress()),
                device);
    }

    /** The first byte of each page: what ibv_rc_pingpong writes there is always 0. */
    private void writePages() {
        for (long at = 0; at < buffer.byteSize(); at += PAGE) {
            buffer.set(ValueLayout.JAVA_BYTE, at, (byte) 0);
        }
    }

    private void checkPages() {
        for (long at = 0; at < buffer.byteSize(); at++) {
            int expected = at % PAGE == 0 ? 0 : FILL;
            int found = buffer.get(ValueLayout.JAVA_BYTE, at);
            if (found != expected) {
                throw new ToolException(
                        ExitStatus.FAILED,
                        String.format(
                                "invalid data in page %d: byte %d is 0x%02x, not 0x%02x (was the client started with -c?)",
                                at / PAGE, at, found & 0xFF, expected));
            }
        }
    }

    /** Stays for a while to answer again if the peer missed the last acknowledgement. */
    void linger() {
        long start = System.nanoTime();
        long lastSeen = start;
        long now = start;
        while (now - lastSeen < LINGER_QUIET_NANOS && now - start < LINGER_NANOS) {
            device.awaitWork(LINGER_QUIET_NANOS / 10);
            boolean worked = device.progress();
            now = System.nanoTime();
            if (worked) {
                lastSeen = now;
            }
        }
    }

    @Override
    public void close() {
        qp.close();
        acknowledgeEvents();
        cq.close();
        region.close();
        pd.close();
        arena.close();
    }

    /** A completion that was polled before its event was looked at left that event behind. */
    private void acknowledgeEvents() {
        try {
            while (events != null && events.getEvent(Duration.ZERO) != null) {
                cq.ackEvents(1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
