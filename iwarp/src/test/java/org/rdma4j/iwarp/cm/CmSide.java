package org.rdma4j.iwarp.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.rdma4j.cm.CmEvent;
import org.rdma4j.cm.CmEventType;
import org.rdma4j.cm.CmId;
import org.rdma4j.cm.EventChannel;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.verbs.CompletionQueue;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceOptions;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.PortSpace;

/** An iWARP device on loopback and what connections on it need. */
final class CmSide implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(20);

    final DeviceContext device;
    final ProtectionDomain pd;
    final CompletionQueue cq;
    final EventChannel channel = new EventChannel();
    final MemoryRegion memory;
    private final AtomicLong ahead = new AtomicLong();

    CmSide(String address) {
        device = DeviceContext.open(
                "iwarp:" + address, DeviceOptions.defaults().withClock(() -> System.nanoTime() + ahead.get()));
        pd = device.allocPd();
        cq = device.createCq(64);
        memory = pd.register(Arena.ofAuto().allocate(256), AccessFlags.LOCAL_WRITE);
    }

    /** Puts the device's clock forward: what it waits for a time for, it need not wait for any more. */
    void leap(Duration time) {
        ahead.addAndGet(time.toNanos());
    }

    InetSocketAddress at(int port) {
        return new InetSocketAddress(device.queryGid(0).toAddress(), port);
    }

    CmId bound(int port) {
        CmId id = CmId.create(device, channel, PortSpace.TCP);
        id.bind(at(port));
        return id;
    }

    /** One that listens at a port that was free. */
    CmId listen(int backlog) {
        CmId id = bound(0);
        id.listen(backlog);
        return id;
    }

    CmId resolved(InetSocketAddress to) throws InterruptedException {
        CmId id = CmId.create(device, channel, PortSpace.TCP);
        id.resolveAddress(to);
        expect(CmEventType.ADDR_RESOLVED);
        id.resolveRoute();
        expect(CmEventType.ROUTE_RESOLVED);
        return id;
    }

    /** The same with a queue pair. */
    CmId ready(InetSocketAddress to) throws InterruptedException {
        CmId id = resolved(to);
        createQp(id);
        return id;
    }

    CmEvent expect(CmEventType type) throws InterruptedException {
        CmEvent event = channel.getEvent(PATIENCE);
        assertNotNull(event, () -> "no event, waited for " + type);
        assertEquals(type, event.type(), event::toString);
        return event;
    }

    void expectNothing() throws InterruptedException {
        assertNull(channel.getEvent(Duration.ofMillis(50)));
    }

    QueuePair createQp(CmId id) {
        return id.createQp(pd, QpInitAttributes.rc(cq));
    }

    void receive(QueuePair qp) {
        qp.postReceive(new ReceiveWorkRequest().reset(1).sge(memory, 128, 128));
    }

    void send(QueuePair qp, int length) {
        qp.postSend(new SendWorkRequest()
                .reset(WrOpcode.SEND)
                .sge(memory, 0, length)
                .signaled());
    }

    WorkCompletion completion() {
        WorkCompletion completion = new WorkCompletion();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!cq.poll(completion)) {
            assertTrue(System.nanoTime() < deadline, "no completion");
            Thread.onSpinWait();
        }
        return completion;
    }

    @Override
    public void close() {
        device.close();
    }
}
