package org.rdma4j.transport;

import org.rdma4j.link.Transmitter;
import org.rdma4j.wire.Bth;

/** The requester of an unreliable connection (9.8.2): SENDs and WRITEs in as many packets as they need, each sent once. */
final class UcRequester extends UnackedRequester {

    private final Packetizer packetizer;

    UcRequester(IbQp qp) {
        super(qp);
        this.packetizer = new Packetizer(qp);
    }

    @Override
    int refusal(long request, int packet) {
        if (Op.isLocal(queue.op(request))) {
            return LocalOps.execute(qp, request);
        }
        // For each packet anew: a region may go under a message that is on its way.
        return packetizer.memory().isValid(request, 0) ? Status.SUCCESS : Status.LOC_PROT_ERR;
    }

    @Override
    int packets(long request) {
        return Packetizer.psnCount(queue.op(request), queue.length(request), qp.config.pathMtu);
    }

    @Override
    int send(Transmitter tx, long request, int packet, int psn) {
        if (packet == 0) {
            queue.number(request, psn, packets(request));
        }
        packetizer.sendData(tx, request, packet, psn, false);
        return Bth.LENGTH + Packetizer.payload(queue.length(request), packet, qp.config.pathMtu);
    }
}
