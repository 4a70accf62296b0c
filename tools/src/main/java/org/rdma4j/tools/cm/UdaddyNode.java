package org.rdma4j.tools.cm;

import java.lang.foreign.Arena;
import org.rdma4j.cm.CmEventType;
import org.rdma4j.cm.ConnectionParameters;
import org.rdma4j.cm.DatagramParameters;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.verbs.AddressHandle;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.Grh;

/** One pair of queue pairs of udaddy: so many datagrams to the server, so many back; each says whom it is from. */
final class UdaddyNode implements AutoCloseable {

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
    private AddressHandle way;
    private int remoteQpn;
    private int remoteQkey = DatagramParameters.UDP_QKEY;

    /** Takes an identifier that can connect or accept; receives are posted. */
    UdaddyNode(CmEnd end, int messages, int size) {
        this.end = end;
        this.messages = messages;
        this.size = size;
        peer = CmAddress.text(end.id().peerAddress());
        DeviceContext device = end.id().device();
        int depth = Math.max(1, messages);
        pd = device.allocPd();
        region = pd.register(arena.allocate(Grh.LENGTH + (long) size, 64), AccessFlags.LOCAL_WRITE);
        sends = new Work(device, depth);
        receives = new Work(device, depth);
        qp = end.id()
                .createQp(
                        pd,
                        QpInitAttributes.ud(sends.queue())
                                .withCqs(sends.queue(), receives.queue())
                                .withDepths(depth, depth));
        ReceiveWorkRequest receive = new ReceiveWorkRequest();
        for (int message = 0; message < messages; message++) {
            qp.postReceive(receive.reset(message).sge(region, 0, Grh.LENGTH + size));
        }
    }

    void connect() {
        end.id().connect(ConnectionParameters.defaults());
        DatagramParameters server = end.expect(CmEventType.ESTABLISHED).datagrams();
        way = pd.createAh(server.ah());
        remoteQpn = server.qpNum();
        remoteQkey = server.qkey();
    }

    void accept() {
        end.id().accept(ConnectionParameters.defaults());
    }

    void send() {
        SendWorkRequest send = new SendWorkRequest();
        for (int message = 0; message < messages; message++) {
            qp.postSend(send.reset(WrOpcode.SEND_WITH_IMM)
                    .immediate(qp.qpNum())
                    .sge(region, Grh.LENGTH, size)
                    .ud(way, remoteQpn, remoteQkey)
                    .signaled());
        }
        for (int message = 0; message < messages; message++) {
            sends.success("datagram " + message, peer);
        }
    }

    /** Waits for all datagrams; the first one that comes to a server says where its answers go. */
    void receive() {
        for (int message = 0; message < messages; message++) {
            WorkCompletion done = receives.success("the receive of datagram " + message, peer);
            if (way == null) {
                way = pd.createAh(done, region.memory(), 0);
                remoteQpn = done.hasImmediate() ? done.immediate() : done.sourceQp();
            }
        }
    }

    @Override
    public void close() {
        end.close();
        if (way != null) {
            way.close();
        }
        region.close();
        sends.close();
        receives.close();
        pd.close();
        arena.close();
    }
}
