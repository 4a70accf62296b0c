package org.rdma4j.tools.pingpong;

import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.tools.CompletionFailure;
import org.rdma4j.tools.PathMtu;
import org.rdma4j.tools.exchange.XsrqRecord;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.SharedReceiveQueue;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.verbs.XrcDomain;
import org.rdma4j.wire.IpText;

/**
 * One end of a game over XRC: for each client a queue pair that sends and one that receives, and one shared receive queue
 * for all. The server serves.
 */
final class XsrqPingpong implements AutoCloseable {

    private final DeviceContext device;
    private final XsrqOptions options;
    private final int size;
    private final Pages pages;
    private final ProtectionDomain pd;
    private final MemoryRegion region;
    private final XrcDomain domain;
    private final SharedReceiveQueue srq;
    private final Completions sent;
    private final Completions received;
    private final QueuePair[] senders;
    private final QueuePair[] receivers;
    private final XsrqRecord[] own;
    private final XsrqRecord[] peers;
    private final int[] posted;
    private final int[] completed;
    private final Map<Integer, Integer> clients = new HashMap<>(); // by the receiving queue pair's number
    private final SendWorkRequest send = new SendWorkRequest();
    private final ReceiveWorkRequest receive = new ReceiveWorkRequest();
    private final WorkCompletion completion = new WorkCompletion();

    /** Prepares everything but the connections; a receive for each client is posted. */
    XsrqPingpong(DeviceContext device, XsrqOptions options, int count) {
        this.device = device;
        this.options = options;
        this.size = (int) options.size();
        PathMtu.require(options.mtu, device);
        pages = new Pages(options.size(), 0, Pages.SRQ_FILL);
        pd = device.allocPd();
        region = pd.register(pages.memory(), AccessFlags.LOCAL_WRITE);
        domain = device.openXrcDomain();
        sent = new Completions(device, count, false, Completions.FOR_EVER);
        received = new Completions(device, count, options.events, Completions.FOR_EVER);
        srq = pd.createXrcSrq(count, 1, domain, received.queue());
        senders = new QueuePair[count];
        receivers = new QueuePair[count];
        own = new XsrqRecord[count];
        peers = new XsrqRecord[count];
        posted = new int[count];
        completed = new int[count];
        SecureRandom random = new SecureRandom();
        for (int client = 0; client < count; client++) {
            receivers[client] = domain.createQp();
            senders[client] = pd.createQp(QpInitAttributes.xrcSend(sent.queue()).withDepths(1, 0));
            for (QueuePair qp : new QueuePair[] {receivers[client], senders[client]}) {
                qp.modify(new QpAttributes()
                        .state(QpState.INIT)
                        .pkeyIndex(0)
                        .port(1)
                        .accessFlags(0));
            }
            clients.put(receivers[client].qpNum(), client);
            own[client] = new XsrqRecord(
                    0,
                    receivers[client].qpNum(),
                    senders[client].qpNum(),
                    random.nextInt(1 << 24),
                    srq.number(),
                    device.queryGid(options.gidIndex));
            postReceive();
        }
    }

    int count() {
        return own.length;
    }

    XsrqRecord address(int client) {
        return own[client];
    }

    /** Moves both queue pairs to RTS. */
    void connect(int client, XsrqRecord remote) {
        peers[client] = remote;
        receivers[client].modify(
                receiving(remote, remote.sendQpn()).maxDestRdAtomic(0).minRnrTimer(12));
        receivers[client].modify(sending(client));
        senders[client].modify(receiving(remote, remote.receiveQpn()));
        senders[client].modify(sending(client).retryCount(7).rnrRetry(7).maxRdAtomic(0));
    }

    private QpAttributes receiving(XsrqRecord remote, int qpn) {
        return new QpAttributes()
                .state(QpState.RTR)
                .av(new AhAttributes(
                        CommonOptions.required(remote.gid()), 0, options.trafficClass(), 0, options.gidIndex))
                .pathMtu(options.mtu)
                .destQpNum(qpn)
                .rqPsn(remote.psn());
    }

    private QpAttributes sending(int client) {
        return new QpAttributes().state(QpState.RTS).sqPsn(own[client].psn()).timeout(14);
    }

    private void postReceive() {
        srq.post(receive.reset(0).sge(region, 0, size));
    }

    private void postSend(int client) {
        senders[client].postSend(send.reset(WrOpcode.SEND)
                .wrId(client)
                .sge(region, 0, size)
                .remoteSrq(peers[client].srqn())
                .signaled());
        posted[client]++;
    }

    /**
     * Plays until each client's messages have come and gone.
     *
     * @param server serves
     */
    void play(boolean server) {
        received.arm();
        if (server) {
            for (int client = 0; client < count(); client++) {
                postSend(client);
            }
        }
        int total = Math.multiplyExact(count(), options.tests);
        for (int done = 0; done < total; done++) {
            take(received, "receive " + (done + 1) + " of " + total);
            int client = clients.get(completion.qpNum());
            postReceive();
            if (posted[client] < options.tests) {
                takeSent(client);
                postSend(client);
            }
        }
        for (int client = 0; client < count(); client++) {
            takeSent(client);
        }
    }

    /** Waits until all that was sent to a client is acknowledged. */
    private void takeSent(int client) {
        while (completed[client] < posted[client]) {
            take(sent, "SEND " + posted[client] + " of " + options.tests);
            completed[(int) completion.wrId()]++;
        }
    }

    private void take(Completions from, String what) {
        from.await(completion);
        if (!completion.isSuccess()) {
            String peer = IpText.of(peers[0].gid().toAddress());
            throw CompletionFailure.of(what, completion, peer, device);
        }
    }

    @Override
    public void close() {
        for (int client = 0; client < count(); client++) {
            senders[client].close();
            receivers[client].close();
        }
        srq.close();
        domain.close();
        sent.close();
        received.close();
        region.close();
        pd.close();
        pages.close();
    }
}
