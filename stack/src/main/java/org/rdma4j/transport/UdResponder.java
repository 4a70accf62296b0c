package org.rdma4j.transport;

import java.lang.foreign.MemorySegment;
import org.rdma4j.link.PacketInfo;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Deth;
import org.rdma4j.wire.Grh;
import org.rdma4j.wire.ImmDt;
import org.rdma4j.wire.Opcode;

/** The responder of unreliable datagrams (9.8.3): what fits a receive is received, in any order of PSNs. */
final class UdResponder extends UnackedResponder {

    private final int portMtu;

    UdResponder(IbQp qp, int portMtu) {
        super(qp);
        this.portMtu = portMtu;
    }

    @Override
    void start() {}

    @Override
    Rule onRequest(int opcode, MemorySegment packet, long at, int header, int payload, PacketInfo info, long now) {
        if (Deth.qKey(packet, at + Bth.LENGTH) != qp.config.qKey) {
            return Rule.QKEY_MISMATCH;
        }
        if (payload > portMtu) {
            return Rule.DATAGRAM_TOO_LONG;
        }
        if (!takeReceive()) {
            return Rule.RECEIVE_MISSING;
        }
        Receive current = receive();
        if (!current.fits(Grh.LENGTH + payload)) {
            return Rule.DATAGRAM_DOES_NOT_FIT;
        }
        int length = header + payload + Bth.padCount(packet, at);
        MemorySegment grh = qp.engine.grhArea().of(info, length);
        if (!current.append(qp.engine.keys(), qp.receivePd(), grh, 0, Grh.LENGTH)
                || !current.append(qp.engine.keys(), qp.receivePd(), packet, at + header, payload)) {
            return receiveFault(now);
        }
        boolean immediate = Opcode.hasImm(opcode);
        complete(
                Status.SUCCESS,
                Status.WC_RECV,
                immediate ? Status.WC_GRH | Status.WC_WITH_IMM : Status.WC_GRH,
                (int) current.filled(),
                immediate ? ImmDt.data(packet, at + Opcode.immOffset(opcode)) : 0,
                Deth.sourceQp(packet, at + Bth.LENGTH) | GrhArea.kind(info) << CompletionRing.NETWORK_SHIFT,
                Bth.solicited(packet, at));
        return Rule.ACCEPTED;
    }
}
