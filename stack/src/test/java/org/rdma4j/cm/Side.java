package org.rdma4j.cm;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.rdma4j.wire.CmMad;
import org.rdma4j.wire.CmPath;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.CmSidrReq;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.PortSpace;
import org.rdma4j.wire.PrivateData;
import org.rdma4j.wire.SidrStatus;

/** One machine and the application on it, which does anything that an application may. */
final class Side implements MachineHost {

    static final int LISTENING = 7174;

    private final VirtualNet net;
    private final Random random;
    private final Gid gid;
    private final long guid;
    private final Machine machine;
    private final List<Call> calls = new ArrayList<>();
    private final int retries;
    private int nextQpn;

    Side(VirtualNet net, Random random, int index, int retries) {
        this.net = net;
        this.random = random;
        this.retries = retries;
        gid = Gid.ofIpv4(0x0A00_0001 + index);
        guid = 1L + index;
        machine = new Machine(this, random::nextInt);
        nextQpn = 0x100 * (index + 1);
        net.join(this, index);
    }

    Machine machine() {
        return machine;
    }

    Gid gid() {
        return gid;
    }

    List<Call> calls() {
        return calls;
    }

    VirtualNet net() {
        return net;
    }

    int freshQpn() {
        return nextQpn++;
    }

    @Override
    public void send(Gid remote, CmMad mad) {
        net.carry(gid, remote, mad);
    }

    @Override
    public long caGuid() {
        return guid;
    }

    @Override
    public Refusal onRequest(Connection connection, CmReq req) {
        if (PortSpace.port(req.serviceId()) != LISTENING) {
            return Refusal.of(org.rdma4j.wire.RejReason.INVALID_SERVICE_ID);
        }
        Call call = new Call(this, random, connection, false);
        calls.add(call);
        connection.listen(call);
        call.requested(req);
        return null;
    }

    @Override
    public void onResolution(SidrService service, CmSidrReq req) {
        boolean listening = PortSpace.port(req.serviceId()) == LISTENING;
        net.after(random.nextInt(5_000_000), () -> {
            if (service.isAnswered()) {
                return;
            }
            if (listening) {
                service.answer(0x77, 0x0123_4567, PrivateData.of("here"), net.now());
            } else {
                service.refuse(SidrStatus.UNSUPPORTED, PrivateData.EMPTY, net.now());
            }
        });
    }

    /** Starts a connection. */
    Call connect(Side other, int port, boolean peerToPeer, int depth) {
        Connection connection = machine.create();
        Call call = new Call(this, random, connection, true);
        calls.add(call);
        int qpn = freshQpn();
        CmReq req = req(connection.localId(), other.gid, qpn, port, depth);
        if (peerToPeer) {
            machine.expectPeer(connection);
        }
        call.asked(qpn, req.startingPsn());
        connection.connect(req, other.gid, peerToPeer, call, net.now());
        return call;
    }

    private CmReq req(int commId, Gid other, int qpn, int port, int depth) {
        CmPath path = new CmPath(0xFFFF, 0xFFFF, gid, other, 0, 0, 0, 64, 0, false, 13);
        return new CmReq(
                commId,
                0,
                PortSpace.TCP.serviceId(port),
                guid,
                0,
                qpn,
                4,
                0,
                depth,
                0,
                14,
                CmReq.RC,
                false,
                random.nextInt(1 << 24),
                14,
                7,
                0xFFFF,
                5,
                false,
                7,
                retries,
                false,
                0,
                path,
                CmPath.NONE,
                PrivateData.of(new byte[] {(byte) qpn}));
    }
}
