package org.rdma4j.tools.cm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.rdma4j.cm.CmEventType;
import org.rdma4j.cm.ConnectionParameters;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WrOpcode;

/** One connection of cmatose: so many messages to the client, so many back. */
final class CmatoseNode implements AutoCloseable {

    private static final ConnectionParameters PARAMETERS =
            ConnectionParameters.defaults().withResources(1, 1).withRetries(5, 7);

    private final CmEnd end;
    private final int messages;
    private final int size;
    private final String peer;
    private final Arena arena = Arena.ofShared();
    private final ProtectionDomain pd;
    private final MemoryRegion region;
    private final Work sends;
    private final Work receives;
    private final QueuePair qp;

    /** Takes an identifier that can connect or accept; receives are posted. */
    CmatoseNode(CmEnd end, int messages, int size) {
        this.end = end;
        this.messages = messages;
        this.size = size;
        peer = CmAddress.text(end.id().peerAddress());
        DeviceContext device = end.id().device();
        int depth = Math.max(1, messages);
        pd = device.allocPd();
        MemorySegment memory = arena.allocate(Math.max(1, size), 64);
        region = pd.register(memory, AccessFlags.LOCAL_WRITE);
        sends = new Work(device, depth);
        receives = new Work(device, depth);
        qp = end.id()
                .createQp(
                        pd,
                        QpInitAttributes.rc(sends.queue())
                                .withCqs(sends.queue(), receives.queue())
                                .withDepths(depth, depth));
        ReceiveWorkRequest receive = new ReceiveWorkRequest();
        for (int message = 0; message < messages; message++) {
            qp.postReceive(receive.reset(message).sge(region, 0, size));
        }
    }

    void connect() {
        end.id().connect(PARAMETERS);
        end.expect(CmEventType.ESTABLISHED);
    }

    void accept() {
        end.id().accept(PARAMETERS);
        end.expect(CmEventType.ESTABLISHED);
    }

    void send() {
        SendWorkRequest send = new SendWorkRequest();
        for (int message = 0; message < messages; message++) {
            qp.postSend(send.reset(WrOpcode.SEND).sge(region, 0, size).signaled());
        }
        for (int message = 0; message < messages; message++) {
            sends.success("message " + message, peer);
        }
    }

    void receive() {
        for (int message = 0; message < messages; message++) {
            receives.success("the receive of message " + message, peer);
        }
    }

    void disconnect() {
        end.disconnect();
    }

    void awaitDisconnected() {
        end.awaitDisconnected();
    }

    @Override
    public void close() {
        end.close();
        region.close();
        sends.close();
        receives.close();
        pd.close();
        arena.close();
    }
}
