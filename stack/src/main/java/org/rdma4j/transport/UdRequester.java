package org.rdma4j.transport;

import java.lang.foreign.MemorySegment;
import org.rdma4j.link.Transmitter;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Deth;
import org.rdma4j.wire.ImmDt;
import org.rdma4j.wire.Opcode;

/** The requester of unreliable datagrams (9.8.3): each request is one packet, to whom it says. */
final class UdRequester extends UnackedRequester {

    /** Q_Keys with this bit are privileged: a request that names one gets the queue pair's own (10.2.5). */
    private static final int PRIVILEGED = 0x8000_0000;

    private final int portMtu;
    private final Packetizer packetizer;

    UdRequester(IbQp qp, int portMtu) {
        super(qp);
        this.portMtu = portMtu;
        this.packetizer = new Packetizer(qp);
    }

    @Override
    int refusal(long request, int packet) {
        if (queue.length(request) > portMtu) {
            return Status.LOC_LEN_ERR;
        }
        return packetizer.memory().isValid(request, 0) ? Status.SUCCESS : Status.LOC_PROT_ERR;
    }

    @Override
    int packets(long request) {
        return 1;
    }

    @Override
    int send(Transmitter tx, long request, int packet, int psn) {
        boolean immediate = Op.hasImmediate(queue.op(request));
        int opcode = immediate ? Opcode.UD_SEND_ONLY_WITH_IMMEDIATE : Opcode.UD_SEND_ONLY;
        int payload = (int) queue.length(request);
        int qKey = queue.remoteQKey(request);
        boolean solicited = (queue.flags(request) & Op.SOLICITED) != 0;
        long at = tx.begin(queue.route(request));
        MemorySegment headers = tx.headers();
        Bth.writeOnPath(
                headers, at, opcode, solicited, -payload & 3, qp.config.path, queue.remoteQpn(request), false, psn);
        Deth.write(headers, at + Bth.LENGTH, (qKey & PRIVILEGED) != 0 ? qp.config.qKey : qKey, qp.qpn);
        int header = Bth.LENGTH + Deth.LENGTH;
        if (immediate) {
            ImmDt.write(headers, at + header, queue.immediate(request));
            header += ImmDt.LENGTH;
        }
        packetizer.memory().gather(tx, request, 0, payload);
        tx.end(header, 0);
        return header + payload;
    }
}
