package org.rdma4j.tools.pingpong;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.tools.CompletionFailure;
import org.rdma4j.tools.exchange.PingpongRecord;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.SharedReceiveQueue;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.IpText;

/**
 * One end of the game with many balls: queue pairs that share their receives, each with a ball of its own. What is
 * counted is the messages of all of them together.
 */
final class SrqPingpong implements AutoCloseable {

    private static final int RECEIVE_ID = 1;
    private static final int SEND_ID = 2;

    private final DeviceContext device;
    private final ConnectedOptions options;
    private final GameService service;
    private final int size;
    private final Pages pages;
    private final ProtectionDomain pd;
    private final MemoryRegion region;
    private final SharedReceiveQueue srq;
    private final Completions completions;
    private final List<QueuePair> queuePairs = new ArrayList<>();
    private final List<PingpongRecord> own = new ArrayList<>();
    private final Map<Integer, Integer> indexes = new HashMap<>(); // by queue pair number
    private final int[] pending; // the completions that each ball waits for, by their wr_ids
    private final SendWorkRequest send = new SendWorkRequest();
    private final ReceiveWorkRequest receive = new ReceiveWorkRequest();
    private List<PingpongRecord> peer;

    /**
     * How it went.
     *
     * @param nanos from the first post to the last completion
     * @param notes what the user should know and is no failure
     */
    record Result(long nanos, List<String> notes) {}

    /** Prepares everything but the connections; receives are posted. */
    SrqPingpong(DeviceContext device, ConnectedOptions options, int count) {
        this.device = device;
        this.options = options;
        this.size = (int) options.size();
        service = ConnectedService.rc(options);
        service.require(device);
        pages = new Pages(options.size(), 0, Pages.SRQ_FILL);
        pd = device.allocPd();
        region = pd.register(pages.memory(), AccessFlags.LOCAL_WRITE);
        srq = pd.createSrq(options.receiveDepth, 1);
        completions = new Completions(device, count + options.receiveDepth, options.events, Completions.FOR_EVER);
        pending = new int[count];
        SecureRandom random = new SecureRandom();
        for (int index = 0; index < count; index++) {
            QueuePair qp = pd.createQp(
                    service.queuePair(completions.queue()).withSrq(srq).withDepths(1, 0));
            qp.modify(service.identity());
            queuePairs.add(qp);
            indexes.put(qp.qpNum(), index);
            own.add(new PingpongRecord(0, qp.qpNum(), random.nextInt(1 << 24), device.queryGid(options.gidIndex)));
        }
        postReceives(options.receiveDepth);
    }

    List<PingpongRecord> addresses() {
        return own;
    }

    /** Moves each queue pair to RTS. */
    void connect(List<PingpongRecord> remote) {
        peer = remote;
        for (int index = 0; index < queuePairs.size(); index++) {
            service.connect(queuePairs.get(index), own.get(index).psn(), remote.get(index));
        }
    }

    private void postReceives(int count) {
        for (int index = 0; index < count; index++) {
            srq.post(receive.reset(RECEIVE_ID).sge(region, 0, size));
        }
    }

    private void postSend(int index) {
        queuePairs
                .get(index)
                .postSend(send.reset(WrOpcode.SEND)
                        .wrId(SEND_ID)
                        .sge(region, 0, size)
                        .signaled());
        pending[index] = SEND_ID | RECEIVE_ID;
    }

    /**
     * Plays until this end has sent and received as many messages as planned.
     *
     * @param first whether this end serves, and writes what is checked
     */
    Result play(boolean first) {
        List<String> notes = List.of();
        completions.arm();
        Arrays.fill(pending, RECEIVE_ID);
        long start = System.nanoTime();
        if (first) {
            if (options.check) {
                pages.write();
            }
            for (int index = 0; index < pending.length; index++) {
                postSend(index);
            }
        }
        int sent = 0;
        int received = 0;
        int posted = options.receiveDepth;
        WorkCompletion completion = new WorkCompletion();
        while (sent < options.iterations || received < options.iterations) {
            completions.await(completion);
            if (!completion.isSuccess()) {
                notes = judge(completion, sent, received);
                break;
            }
            if (completion.wrId() == SEND_ID) {
                sent++;
            } else {
                received++;
                if (--posted <= pending.length) {
                    postReceives(options.receiveDepth - posted);
                    posted = options.receiveDepth;
                }
            }
            int index = indexes.get(completion.qpNum());
            pending[index] &= ~(int) completion.wrId();
            if (sent < options.iterations && pending[index] == 0) {
                postSend(index);
            }
        }
        long nanos = System.nanoTime() - start;
        if (options.check && !first) {
            pages.check();
        }
        return new Result(nanos, notes);
    }

    /**
     * The exchange is over before the game, so the end that is done first just goes. Where all that is missing are its
     * acknowledgements of the last messages, one a ball, the game was whole.
     */
    private List<String> judge(WorkCompletion completion, int sent, int received) {
        boolean ending = received >= options.iterations && sent >= options.iterations - pending.length;
        if (completion.wrId() == SEND_ID && ending && completion.status() == WcStatus.RETRY_EXC_ERR) {
            return List.of("the last messages were not acknowledged: the peer has gone already");
        }
        String what = completion.wrId() == SEND_ID ? "SEND " + (sent + 1) : "receive " + (received + 1);
        throw CompletionFailure.of(
                what + " of " + options.iterations,
                completion,
                IpText.of(peer.get(0).gid().toAddress()),
                device);
    }

    /** Stays for a while to answer again if the peer missed the last acknowledgements. */
    void linger() {
        completions.linger();
    }

    @Override
    public void close() {
        queuePairs.forEach(QueuePair::close);
        completions.close();
        srq.close();
        region.close();
        pd.close();
        pages.close();
    }
}
