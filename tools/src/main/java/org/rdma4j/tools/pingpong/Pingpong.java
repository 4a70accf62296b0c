package org.rdma4j.tools.pingpong;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.LongSummaryStatistics;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.tools.CompletionFailure;
import org.rdma4j.tools.exchange.PingpongRecord;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.IpText;

/** One end of the game: a queue pair, a buffer that both ways share, and the rule that a ball is returned at once. */
final class Pingpong implements AutoCloseable {

    private static final long RECEIVE_ID = 1;
    private static final long SEND_ID = 2;

    /** Where nothing is sent again, the one message that is on its way is lost after this time. */
    private static final Duration LOST_AFTER = Duration.ofSeconds(20);

    private final DeviceContext device;
    private final PingpongOptions options;
    private final GameService service;
    private final int size;
    private final Pages pages;
    private final ProtectionDomain pd;
    private final MemoryRegion region;
    private final Completions completions;
    private final QueuePair qp;
    private final PingpongRecord address;
    private final SendWorkRequest send = new SendWorkRequest();
    private final ReceiveWorkRequest receive = new ReceiveWorkRequest();
    private PingpongRecord peer;

    /**
     * How it went.
     *
     * @param nanos from the first post to the last completion
     * @param intervals nanoseconds between two receive completions
     * @param notes what the user should know and is no failure
     */
    record Result(long nanos, LongSummaryStatistics intervals, List<String> notes) {}

    /** Prepares everything but the connection; receives are posted. */
    Pingpong(DeviceContext device, PingpongOptions options, GameService service) {
        this.device = device;
        this.options = options;
        this.service = service;
        this.size = (int) options.size();
        service.require(device);
        pages = new Pages(options.size(), service.headroom(), Pages.FILL);
        pd = device.allocPd();
        region = pd.register(pages.memory(), AccessFlags.LOCAL_WRITE);
        completions = new Completions(
                device,
                options.receiveDepth + 1,
                options.events,
                service.isReliable() ? Completions.FOR_EVER : LOST_AFTER);
        qp = pd.createQp(service.queuePair(completions.queue()).withDepths(1, options.receiveDepth));
        qp.modify(service.identity());
        address = new PingpongRecord(
                0, qp.qpNum(), new SecureRandom().nextInt(1 << 24), device.queryGid(options.gidIndex));
        postReceives(options.receiveDepth);
    }

    PingpongRecord address() {
        return address;
    }

    /** Moves the queue pair to RTS. */
    void connect(PingpongRecord remote) {
        peer = remote;
        service.connect(qp, address.psn(), remote);
    }

    private void postReceives(int count) {
        for (int index = 0; index < count; index++) {
            qp.postReceive(receive.reset(RECEIVE_ID).sge(region, 0, service.headroom() + size));
        }
    }

    private void postSend() {
        send.reset(WrOpcode.SEND)
                .wrId(SEND_ID)
                .sge(region, service.headroom(), size)
                .signaled();
        service.aim(send);
        qp.postSend(send);
    }

    /**
     * Plays until each end has sent and received as many messages as planned.
     *
     * @param first whether this end serves, and writes what is checked
     * @param timestamps keep the times between receives
     */
    Result play(boolean first, boolean timestamps) {
        LongSummaryStatistics intervals = new LongSummaryStatistics();
        List<String> notes = List.of();
        completions.arm();
        long start = System.nanoTime();
        boolean sending = false;
        boolean receiving = true;
        if (first) {
            if (options.check) {
                pages.write();
            }
            postSend();
            sending = true;
        }
        int sent = 0;
        int received = 0;
        int posted = options.receiveDepth;
        long lastReceive = 0;
        WorkCompletion completion = new WorkCompletion();
        while (sent < options.iterations || received < options.iterations) {
            completions.await(completion);
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
                if (timestamps) {
                    long now = System.nanoTime();
                    if (received > 1) {
                        intervals.accept(now - lastReceive);
                    }
                    lastReceive = now;
                }
                if (--posted <= 1) {
                    postReceives(options.receiveDepth - posted);
                    posted = options.receiveDepth;
                }
            }
            if (sent < options.iterations && !sending && !receiving) {
                postSend();
                sending = true;
                receiving = true;
            }
        }
        long nanos = System.nanoTime() - start;
        if (options.check && !first) {
            pages.check();
        }
        return new Result(nanos, intervals, notes);
    }

    /**
     * The exchange is over before the game, so the end that is done first just goes. Where all that is missing is its
     * acknowledgement of the very last message, the game was whole.
     */
    private List<String> judge(WorkCompletion completion, int sent, int received) {
        boolean lastSend =
                completion.wrId() == SEND_ID && sent == options.iterations - 1 && received == options.iterations;
        if (lastSend && completion.status() == WcStatus.RETRY_EXC_ERR) {
            return List.of("the last message was not acknowledged: the peer has gone already");
        }
        String what = completion.wrId() == SEND_ID ? "SEND " + (sent + 1) : "receive " + (received + 1);
        throw CompletionFailure.of(
                what + " of " + options.iterations,
                completion,
                IpText.of(peer.gid().toAddress()),
                device);
    }

    /** Stays for a while to answer again if the peer missed the last acknowledgement. */
    void linger() {
        if (service.isReliable()) {
            completions.linger();
        }
    }

    @Override
    public void close() {
        qp.close();
        service.end();
        completions.close();
        region.close();
        pd.close();
        pages.close();
    }
}
