package org.rdma4j.iwarp.rdmap;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import org.rdma4j.iwarp.ConnectParameters;
import org.rdma4j.iwarp.ConnectionEnd;
import org.rdma4j.iwarp.ConnectionEvents;
import org.rdma4j.iwarp.IwarpConnection;
import org.rdma4j.iwarp.IwarpConnections;
import org.rdma4j.iwarp.IwarpListener;
import org.rdma4j.iwarp.memory.MemoryDevices;
import org.rdma4j.iwarp.memory.MemoryNetwork;
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
import org.rdma4j.verbs.WorkCompletion;

/** A device with one queue pair on a network in memory: one end of a connection, driven by the test. */
final class Node implements ConnectionEvents, AutoCloseable {

    static final int ACCESS = AccessFlags.LOCAL_WRITE
            | AccessFlags.REMOTE_WRITE
            | AccessFlags.REMOTE_READ
            | AccessFlags.REMOTE_ATOMIC
            | AccessFlags.MW_BIND;

    static final int PORT = 7174;

    final MemoryNetwork network;
    final DeviceContext device;
    final IwarpConnections iwarp;
    final ProtectionDomain pd;
    final CompletionQueue cq;
    QueuePair qp;
    final List<String> events = new ArrayList<>();
    final List<ConnectionEnd> ends = new ArrayList<>();
    IwarpConnection connection;
    IwarpListener listener;
    int ird = 4;
    int ord = 4;
    byte[] answer = {};
    boolean rejects;

    Node(MemoryNetwork network, LongSupplier clock, Random random) {
        this.network = network;
        DeviceOptions options = DeviceOptions.defaults()
                .withProgress(Progress.CALLER)
                .withClock(clock)
                .withRandom(random::nextInt);
        this.device = MemoryDevices.open(network, options);
        this.iwarp = device.family(IwarpConnections.class).orElseThrow();
        this.pd = device.allocPd();
        this.cq = device.createCq(256);
    }

    QpInitAttributes attributes() {
        return QpInitAttributes.rc(cq).withDepths(32, 32).withSge(4, 4);
    }

    Node withQp(QpInitAttributes attributes) {
        qp = pd.createQp(attributes);
        qp.modify(new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(ACCESS));
        return this;
    }

    Node withQp() {
        return withQp(attributes());
    }

    MemoryRegion register(int bytes) {
        return pd.register(Arena.ofAuto().allocate(bytes, 64), ACCESS);
    }

    MemoryRegion register(MemorySegment memory, int access) {
        return pd.register(memory, access);
    }

    Node listen(MpaSettings settings) {
        iwarp.settings(settings.withDepths(ird, ord));
        device.control(() -> listener = iwarp.listen(address(), 8, this));
        return this;
    }

    InetSocketAddress address() {
        return new InetSocketAddress(network.address(), PORT);
    }

    void connect(Node to, MpaSettings settings, byte... privateData) {
        ConnectParameters parameters =
                ConnectParameters.of(privateData, ird, ord).withSettings(settings);
        device.control(() -> connection = iwarp.connect(null, to.address(), qp.qpNum(), parameters, this));
    }

    /** The next completion, or {@code null} where none is there. */
    WorkCompletion poll() {
        WorkCompletion completion = new WorkCompletion();
        return cq.poll(completion) ? completion : null;
    }

    @Override
    public void requested(IwarpConnection asked) {
        events.add("requested");
        connection = asked;
        if (rejects) {
            asked.reject(answer);
        } else {
            asked.accept(qp.qpNum(), ConnectParameters.of(answer, ird, ord));
        }
    }

    @Override
    public void established(IwarpConnection done) {
        events.add("established");
    }

    @Override
    public void rejected(IwarpConnection no) {
        events.add("rejected");
    }

    @Override
    public void failed(IwarpConnection no, ConnectionEnd end) {
        events.add("failed");
        ends.add(end);
    }

    @Override
    public void ended(IwarpConnection over, ConnectionEnd end) {
        events.add("ended");
        ends.add(end);
    }

    @Override
    public void close() {
        device.close();
    }
}
