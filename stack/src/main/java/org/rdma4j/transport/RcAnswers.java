package org.rdma4j.transport;

import java.lang.foreign.MemorySegment;
import org.rdma4j.link.Transmitter;
import org.rdma4j.memory.Region;
import org.rdma4j.trace.Tracer;
import org.rdma4j.trace.Tracing;
import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.AtomicAckEth;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Psn;
import org.rdma4j.wire.Syndrome;

/** Makes the packets that a responder answers with (9.7.5.1). */
final class RcAnswers {

    private final IbQp qp;
    private final int service;

    RcAnswers(IbQp qp) {
        this.qp = qp;
        this.service = qp.service();
    }

    /** An ACK that grants as many credits as receives wait; those of a shared queue are nobody's to grant (9.7.7.2). */
    int creditSyndrome() {
        return qp.srq() != null
                ? Syndrome.ACK_UNLIMITED
                : Syndrome.ack(Syndrome.creditCode(qp.receiveQueue.available()));
    }

    /** ACK, NAK or RNR NAK. */
    void sendAcknowledge(Transmitter tx, int syndrome, int psn, int msn) {
        long at = begin(tx, Opcode.RC_ACKNOWLEDGE, 0, psn);
        Aeth.write(tx.headers(), at + Bth.LENGTH, syndrome, msn);
        tx.end(Bth.LENGTH + Aeth.LENGTH, 0);
    }

    /** The next packet of the oldest response, a READ's: {@code payload} bytes from a wire address of the region. */
    void sendReadResponse(
            Transmitter tx, ResponseQueue responses, boolean last, Region region, long address, int payload) {
        boolean first = responses.isAtStart();
        int psn = Psn.add(responses.psn(), responses.next());
        long at = begin(tx, readOpcode(first, last), -payload & 3, psn);
        int header = Bth.LENGTH;
        if (first || last) {
            Aeth.write(tx.headers(), at + header, creditSyndrome(), responses.msn());
            header += Aeth.LENGTH;
        }
        if (payload > 0) {
            if (Tracing.isOn()) {
                qp.engine.keys().touched(Tracer.Touch.READ, region.key(), address, payload);
            }
            tx.gather(region.block(), region.offsetOf(address), payload);
        }
        tx.end(header, 0);
    }

    private static int readOpcode(boolean first, boolean last) {
        if (first) {
            return last ? Opcode.RC_RDMA_READ_RESPONSE_ONLY : Opcode.RC_RDMA_READ_RESPONSE_FIRST;
        }
        return last ? Opcode.RC_RDMA_READ_RESPONSE_LAST : Opcode.RC_RDMA_READ_RESPONSE_MIDDLE;
    }

    /** The oldest response, an atomic's: the value that was there before. */
    void sendAtomicAcknowledge(Transmitter tx, ResponseQueue responses) {
        long at = begin(tx, Opcode.RC_ATOMIC_ACKNOWLEDGE, 0, responses.psn());
        Aeth.write(tx.headers(), at + Bth.LENGTH, creditSyndrome(), responses.msn());
        AtomicAckEth.write(tx.headers(), at + Bth.LENGTH + Aeth.LENGTH, responses.address());
        tx.end(Bth.LENGTH + Aeth.LENGTH + AtomicAckEth.LENGTH, 0);
    }

    private long begin(Transmitter tx, int opcode, int pad, int psn) {
        long at = tx.begin(qp.config.route);
        MemorySegment headers = tx.headers();
        Bth.writeOnPath(headers, at, service | opcode, false, pad, qp.config.path, qp.config.destQpn, false, psn);
        return at;
    }
}
