package org.rdma4j.tools.cm;

import java.lang.foreign.Arena;
import org.rdma4j.cm.CmId;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WrOpcode;

/** The queue pair of rdma_client or rdma_server, and its two messages of 16 bytes. */
final class ShortMessages implements AutoCloseable {

    private static final int LENGTH = 16;

    private final CmId id;
    private final Arena arena = Arena.ofShared();
    private final ProtectionDomain pd;
    private final MemoryRegion region;
    private final Work sends;
    private final Work receives;
    private final QueuePair qp;

    ShortMessages(CmId id) {
        this.id = id;
        DeviceContext device = id.device();
        pd = device.allocPd();
        region = pd.register(arena.allocate(2L * LENGTH), AccessFlags.LOCAL_WRITE);
        sends = new Work(device, 1);
        receives = new Work(device, 1);
        qp = id.createQp(
                pd,
                QpInitAttributes.rc(sends.queue())
                        .withCqs(sends.queue(), receives.queue())
                        .withDepths(1, 1));
    }

    void postReceive() {
        qp.postReceive(new ReceiveWorkRequest().reset(0).sge(region, LENGTH, LENGTH));
    }

    void awaitReceive() {
        receives.success("the receive", CmAddress.text(id.peerAddress()));
    }

    /** Sends and waits until the peer has it. */
    void send() {
        qp.postSend(new SendWorkRequest()
                .reset(WrOpcode.SEND)
                .sge(region, 0, LENGTH)
                .signaled());
        sends.success("the send", CmAddress.text(id.peerAddress()));
    }

    @Override
    public void close() {
        id.destroyQp();
        region.close();
        sends.close();
        receives.close();
        pd.close();
        arena.close();
    }
}
