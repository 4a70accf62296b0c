package org.rdma4j.tools.conform.peer;

import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.rdma4j.cm.CmEvent;
import org.rdma4j.cm.CmEventType;
import org.rdma4j.cm.CmException;
import org.rdma4j.cm.CmId;
import org.rdma4j.cm.ConnectionParameters;
import org.rdma4j.cm.DatagramParameters;
import org.rdma4j.cm.EventChannel;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.tools.conform.check.Application;
import org.rdma4j.tools.conform.check.Heard;
import org.rdma4j.verbs.AddressHandle;
import org.rdma4j.verbs.CompletionQueue;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.VerbsException;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Grh;
import org.rdma4j.wire.PortSpace;
import org.rdma4j.wire.PrivateData;

/**
 * An {@link Application} on rdma4j's own device. It has no thread: it does what is to be done whenever somebody waits
 * ({@link #turn}).
 */
final class BuiltInProgram implements Heard, AutoCloseable {

    /** What it has to say to those that it rejects. */
    private static final String REFUSAL = "no more room";

    /** And to those that it asks. */
    private static final String GREETING = "hello";

    private static final int DEPTH = 32;
    private static final long SENT = 1L << 32; // in the numbers of work requests

    private final DeviceContext device;
    private final Application work;
    private final EventChannel channel = new EventChannel();
    private final Queue<CmEvent> told = new ConcurrentLinkedQueue<>();
    private final List<CmId> nodes = new ArrayList<>();
    private final CmId first;
    private final ProtectionDomain pd;
    private final MemoryRegion region;
    private final List<CompletionQueue> queues = new ArrayList<>();
    private final List<AddressHandle> ways = new ArrayList<>();
    private int standing;
    private boolean active;
    private boolean over;
    private int sent;
    private int received;

    BuiltInProgram(DeviceContext device, Application work) {
        this.device = device;
        this.work = work;
        first = CmId.create(device, channel, work.datagrams() ? PortSpace.UDP : PortSpace.TCP);
        pd = device.allocPd();
        region = pd.register(
                Arena.ofAuto().allocate(Math.max(1, work.size()) + (long) Grh.LENGTH, 64), AccessFlags.LOCAL_WRITE);
    }

    /** @return the port that it listens at */
    int listen() {
        first.bind(new InetSocketAddress(device.queryGid(0).toAddress(), 0));
        first.listen(work.backlog());
        return first.localAddress().getPort();
    }

    void connect(Gid server, int port) {
        active = true;
        if (work.ackTimeout() != 0) {
            first.ackTimeout(work.ackTimeout());
        }
        first.resolveAddress(new InetSocketAddress(server.toAddress(), port));
        first.resolveRoute();
        queuePair(first);
        ConnectionParameters wanted = ConnectionParameters.defaults().withPrivateData(PrivateData.of(GREETING));
        if (work.isPeer()) {
            first.connectPeer(wanted);
        } else {
            first.connect(wanted);
        }
    }

    private void queuePair(CmId id) {
        CompletionQueue cq = device.createCq(2 * DEPTH);
        queues.add(cq);
        QpInitAttributes kind = work.datagrams() ? QpInitAttributes.ud(cq) : QpInitAttributes.rc(cq);
        QueuePair qp = id.createQp(pd, kind.withDepths(DEPTH, DEPTH));
        for (int number = 0; number < work.messages(); number++) {
            qp.postReceive(new ReceiveWorkRequest().reset(number).sge(region, 0, (int) region.length()));
        }
        nodes.add(id);
    }

    /** Does what is to be done now. */
    void turn() {
        if (isBusy()) {
            exchange();
            return;
        }
        for (CmEvent event = next(); event != null; event = isBusy() ? null : next()) {
            told.add(event);
            on(event);
        }
    }

    /** All connections stand, and their messages are not yet through. */
    private boolean isBusy() {
        return !over && !work.datagrams() && work.connections() > 0 && standing >= work.connections();
    }

    private CmEvent next() {
        try {
            return channel.getEvent(Duration.ZERO);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private void on(CmEvent event) {
        switch (event.type()) {
            case CONNECT_REQUEST -> requested(event);
            case ESTABLISHED -> established(event);
            case DISCONNECTED -> event.id().disconnect();
            default -> {}
        }
    }

    private void requested(CmEvent event) {
        CmId id = event.id();
        boolean full = nodes.size() >= work.connections();
        if (work.backlog() > 0) {
            return; // it looks at none of them
        }
        if (full) {
            id.reject(PrivateData.of(REFUSAL));
            return;
        }
        try {
            queuePair(id);
            id.accept(ConnectionParameters.defaults()
                    .withPrivateData(event.privateData().withoutFill()));
        } catch (CmException | VerbsException _) {
            id.reject(PrivateData.EMPTY);
        }
    }

    private void established(CmEvent event) {
        if (work.datagrams()) {
            sendTo(event.datagrams());
            return;
        }
        standing++;
        if (isBusy() && !active) {
            nodes.forEach(this::sendAll);
        }
    }

    private void sendAll(CmId id) {
        for (int number = 0; number < work.messages(); number++) {
            id.qp()
                    .postSend(new SendWorkRequest()
                            .reset(WrOpcode.SEND)
                            .wrId(SENT | number)
                            .sge(region, 0, work.size())
                            .signaled());
        }
    }

    private void sendTo(DatagramParameters there) {
        AddressHandle way = pd.createAh(there.ah());
        for (int number = 0; number < work.messages(); number++) {
            first.qp()
                    .postSend(new SendWorkRequest()
                            .reset(WrOpcode.SEND)
                            .wrId(SENT | number)
                            .sge(region, 0, work.size())
                            .ud(way, there.qpNum(), there.qkey())
                            .signaled());
        }
        ways.add(way);
    }

    /** Messages come and go, or fail, which is the same to it; a server that is through with them disconnects. */
    private void exchange() {
        queues.forEach(this::count);
        int all = work.messages() * nodes.size();
        if (active && received == all && sent == 0 && all > 0) {
            received++; // once
            sendAll(first);
        }
        if (sent >= all && received >= all) {
            over = true;
            if (!active) {
                nodes.forEach(CmId::disconnect);
            }
        }
    }

    private void count(CompletionQueue cq) {
        WorkCompletion completion = new WorkCompletion();
        while (cq.poll(completion)) {
            if (completion.wrId() >= SENT) {
                sent++;
            } else {
                received++;
            }
        }
    }

    @Override
    public boolean shows(CmEventType type) {
        return true;
    }

    @Override
    public long count(CmEventType type, int status) {
        return told.stream()
                .filter(event -> event.type() == type && event.status() == status)
                .count();
    }

    @Override
    public void close() {
        first.close();
        told.stream().map(CmEvent::id).distinct().forEach(CmId::close);
        queues.forEach(CompletionQueue::close);
        ways.forEach(AddressHandle::close);
        region.close();
        pd.close();
        channel.close();
    }
}
