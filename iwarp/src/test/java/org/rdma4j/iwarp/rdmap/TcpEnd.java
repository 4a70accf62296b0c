package org.rdma4j.iwarp.rdmap;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.rdma4j.iwarp.ConnectParameters;
import org.rdma4j.iwarp.ConnectionEnd;
import org.rdma4j.iwarp.ConnectionEvents;
import org.rdma4j.iwarp.IwarpConnection;
import org.rdma4j.iwarp.IwarpConnections;
import org.rdma4j.iwarp.IwarpListener;
import org.rdma4j.iwarp.mpa.CrcRule;
import org.rdma4j.iwarp.mpa.MpaSettings;
import org.rdma4j.memory.AccessFlags;
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
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WorkCompletion;

/** A device on TCP of this host, driven by the test, with any number of queue pairs. */
final class TcpEnd implements AutoCloseable, ConnectionEvents {

    static final int ACCESS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ;

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);

    final DeviceContext device;
    final IwarpConnections iwarp;
    final ProtectionDomain pd;
    final CompletionQueue cq;
    final MemoryRegion region;
    final List<QueuePair> qps = new ArrayList<>();
    final List<IwarpConnection> connections = new ArrayList<>();
    final List<ConnectionEnd> ends = new ArrayList<>();
    IwarpListener listener;
    int established;
    int requested;

    TcpEnd(String address, int bytes, int qpCount) {
        device = DeviceContext.open("iwarp:" + address, DeviceOptions.defaults().withProgress(Progress.CALLER));
        iwarp = device.family(IwarpConnections.class).orElseThrow();
        pd = device.allocPd();
        cq = device.createCq(4096);
        region = pd.register(Arena.ofAuto().allocate(bytes, 4096), ACCESS);
        for (int count = 0; count < qpCount; count++) {
            QueuePair qp = pd.createQp(QpInitAttributes.rc(cq).withDepths(64, 64));
            qp.modify(
                    new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(ACCESS));
            qps.add(qp);
        }
    }

    QueuePair qp() {
        return qps.getFirst();
    }

    /** Connects each queue pair of this side with one of the other's. */
    void connect(TcpEnd other, boolean crc) {
        MpaSettings settings = MpaSettings.defaults().withCrc(crc, CrcRule.RFC);
        InetSocketAddress at = new InetSocketAddress(other.device.queryGid(0).toAddress(), 0);
        other.device.control(() -> other.listener = other.iwarp.listen(at, qps.size(), other));
        for (QueuePair qp : qps) {
            ConnectParameters parameters =
                    ConnectParameters.of(new byte[] {1, 2}, 2, 2).withSettings(settings);
            device.control(
                    () -> connections.add(iwarp.connect(null, other.listener.local(), qp.qpNum(), parameters, this)));
        }
        pump(other, () -> established == qps.size() && other.established == qps.size());
    }

    /** Drives both until something is so. */
    void pump(TcpEnd other, BooleanSupplier until) {
        long end = System.nanoTime() + PATIENCE;
        while (!until.getAsBoolean()) {
            device.progress();
            other.device.progress();
            assertTrue(
                    System.nanoTime() < end,
                    () -> "not in time: " + established + " and " + other.established + ends + other.ends);
        }
    }

    /** The next completion, a good one. */
    WorkCompletion await(TcpEnd other) {
        WorkCompletion completion = new WorkCompletion();
        pump(other, () -> cq.poll(completion));
        assertTrue(completion.status() == WcStatus.SUCCESS, () -> completion.status() + " " + ends);
        return completion;
    }

    @Override
    public void requested(IwarpConnection asked) {
        connections.add(asked);
        asked.accept(qps.get(requested++).qpNum(), ConnectParameters.of(new byte[] {7}, 4, 4));
    }

    @Override
    public void established(IwarpConnection done) {
        established++;
    }

    @Override
    public void rejected(IwarpConnection no) {
        throw new AssertionError("rejected");
    }

    @Override
    public void failed(IwarpConnection no, ConnectionEnd end) {
        ends.add(end);
    }

    @Override
    public void ended(IwarpConnection over, ConnectionEnd end) {
        ends.add(end);
    }

    @Override
    public void close() {
        device.close();
    }
}
