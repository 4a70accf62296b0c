package org.rdma4j.transport;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rdma4j.link.Transmitter;
import org.rdma4j.wire.AtomicEth;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Feth;
import org.rdma4j.wire.Ieth;
import org.rdma4j.wire.ImmDt;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Reth;
import org.rdma4j.wire.Xrceth;

/**
 * Makes request packets of work requests: packet {@code index} of a message is a function of the request alone, so a
 * resend is the same call again (9.4, 9.7.4).
 */
final class Packetizer {

    private final IbQp qp;
    private final SendQueue queue;
    private final RequestMemory memory;
    private final int service;

    Packetizer(IbQp qp) {
        this.qp = qp;
        this.queue = qp.sendQueue;
        this.memory = new RequestMemory(qp);
        this.service = qp.service();
    }

    RequestMemory memory() {
        return memory;
    }

    /** PSNs that a message takes: one a packet; for a READ one for each packet of its response (9.7.3.1). */
    static int psnCount(int op, long length, int pathMtu) {
        if (Op.isLocal(op)) {
            return 0;
        }
        if (length <= pathMtu || Op.isAtomic(op)) {
            return 1;
        }
        return (int) ((length + pathMtu - 1) / pathMtu);
    }

    /** Payload bytes of packet {@code index}. */
    static int payload(long length, int index, int pathMtu) {
        return (int) Math.min(pathMtu, length - (long) index * pathMtu);
    }

    /** Sends packet {@code index} of a SEND or WRITE. The caller has checked the memory. */
    void sendData(Transmitter tx, long request, int index, int psn, boolean ackReq) {
        int op = queue.op(request);
        long length = queue.length(request);
        int mtu = qp.config.pathMtu;
        int count = queue.psnCount(request);
        boolean first = index == 0;
        boolean last = index == count - 1;
        int payload = payload(length, index, mtu);
        int opcode = service | opcode(op, first, last);
        long at = tx.begin(qp.config.route);
        MemorySegment headers = tx.headers();
        boolean solicited = last && (queue.flags(request) & Op.SOLICITED) != 0 && Op.consumesReceive(op);
        Bth.writeOnPath(headers, at, opcode, solicited, -payload & 3, qp.config.path, qp.config.destQpn, ackReq, psn);
        int header = writeExtensions(headers, at, request, first, last);
        memory.gather(tx, request, (long) index * mtu, payload);
        tx.end(header, 0);
    }

    /** Writes what stands behind the BTH of a SEND's or WRITE's packet. @return bytes of all headers */
    private int writeExtensions(MemorySegment headers, long at, long request, boolean first, boolean last) {
        int op = queue.op(request);
        int header = writeXrceth(headers, at, request);
        if (first && Op.isWrite(op)) {
            Reth.write(
                    headers,
                    at + header,
                    queue.remoteAddress(request),
                    queue.remoteKey(request),
                    queue.length(request));
            header += Reth.LENGTH;
        }
        if (last && Op.hasImmediate(op)) {
            ImmDt.write(headers, at + header, queue.immediate(request));
            header += ImmDt.LENGTH;
        } else if (last && op == Op.SEND_WITH_INV) {
            Ieth.write(headers, at + header, queue.immediate(request));
            header += Ieth.LENGTH;
        }
        return header;
    }

    /** Behind the BTH of each XRC request stands which shared queue it is for. @return bytes of the headers so far */
    private int writeXrceth(MemorySegment headers, long at, long request) {
        if (service != Opcode.XRC) {
            return Bth.LENGTH;
        }
        Xrceth.write(headers, at + Bth.LENGTH, queue.remoteSrq(request));
        return Bth.LENGTH + Xrceth.LENGTH;
    }

    /** Sends a READ request for what is missing from packet {@code index} of its response on. */
    void sendRead(Transmitter tx, long request, int index, int psn) {
        long done = (long) index * qp.config.pathMtu;
        long at = tx.begin(qp.config.route);
        MemorySegment headers = tx.headers();
        int opcode = service | Opcode.RC_RDMA_READ_REQUEST;
        Bth.writeOnPath(headers, at, opcode, false, 0, qp.config.path, qp.config.destQpn, true, psn);
        int header = writeXrceth(headers, at, request);
        Reth.write(
                headers,
                at + header,
                queue.remoteAddress(request) + done,
                queue.remoteKey(request),
                queue.length(request) - done);
        tx.end(header + Reth.LENGTH, 0);
    }

    /** Sends an atomic, a FLUSH or an ATOMIC_WRITE: one packet, no memory of this side behind it. */
    void sendShort(Transmitter tx, long request, int psn) {
        switch (queue.op(request)) {
            case Op.FLUSH -> sendFlush(tx, request, psn);
            case Op.ATOMIC_WRITE -> sendAtomicWrite(tx, request, psn);
            default -> sendAtomic(tx, request, psn);
        }
    }

    private void sendFlush(Transmitter tx, long request, int psn) {
        long at = tx.begin(qp.config.route);
        MemorySegment headers = tx.headers();
        int opcode = service | Opcode.RC_FLUSH;
        Bth.writeOnPath(headers, at, opcode, false, 0, qp.config.path, qp.config.destQpn, true, psn);
        int header = writeXrceth(headers, at, request);
        int type = (int) queue.compare(request);
        Feth.write(headers, at + header, type >>> Op.FLUSH_LEVEL_SHIFT, type & Op.FLUSH_PLACEMENT_MASK);
        header += Feth.LENGTH;
        Reth.write(
                headers, at + header, queue.remoteAddress(request), queue.remoteKey(request), queue.swapOrAdd(request));
        tx.end(header + Reth.LENGTH, 0);
    }

    private void sendAtomicWrite(Transmitter tx, long request, int psn) {
        long at = tx.begin(qp.config.route);
        MemorySegment headers = tx.headers();
        int opcode = service | Opcode.RC_ATOMIC_WRITE;
        Bth.writeOnPath(headers, at, opcode, false, 0, qp.config.path, qp.config.destQpn, true, psn);
        int header = writeXrceth(headers, at, request);
        Reth.write(headers, at + header, queue.remoteAddress(request), queue.remoteKey(request), Long.BYTES);
        header += Reth.LENGTH;
        // The payload as this machine's memory would hold it: eight bytes that nobody turns around on the way.
        headers.set(ValueLayout.JAVA_LONG_UNALIGNED, at + header, queue.swapOrAdd(request));
        tx.end(header + Long.BYTES, 0);
    }

    private void sendAtomic(Transmitter tx, long request, int psn) {
        boolean swap = queue.op(request) == Op.ATOMIC_CMP_AND_SWP;
        int opcode = service | (swap ? Opcode.RC_COMPARE_SWAP : Opcode.RC_FETCH_ADD);
        long at = tx.begin(qp.config.route);
        MemorySegment headers = tx.headers();
        Bth.writeOnPath(headers, at, opcode, false, 0, qp.config.path, qp.config.destQpn, true, psn);
        int header = writeXrceth(headers, at, request);
        AtomicEth.write(
                headers,
                at + header,
                queue.remoteAddress(request),
                queue.remoteKey(request),
                queue.swapOrAdd(request),
                swap ? queue.compare(request) : 0);
        tx.end(header + AtomicEth.LENGTH, 0);
    }

    /** The operation's bits: those of RC, whose service bits are 0. */
    private static int opcode(int op, boolean first, boolean last) {
        if (!last) {
            boolean write = Op.isWrite(op);
            if (first) {
                return write ? Opcode.RC_RDMA_WRITE_FIRST : Opcode.RC_SEND_FIRST;
            }
            return write ? Opcode.RC_RDMA_WRITE_MIDDLE : Opcode.RC_SEND_MIDDLE;
        }
        return switch (op) {
            case Op.SEND -> first ? Opcode.RC_SEND_ONLY : Opcode.RC_SEND_LAST;
            case Op.SEND_WITH_IMM -> first ? Opcode.RC_SEND_ONLY_WITH_IMMEDIATE : Opcode.RC_SEND_LAST_WITH_IMMEDIATE;
            case Op.SEND_WITH_INV -> first ? Opcode.RC_SEND_ONLY_WITH_INVALIDATE : Opcode.RC_SEND_LAST_WITH_INVALIDATE;
            case Op.RDMA_WRITE -> first ? Opcode.RC_RDMA_WRITE_ONLY : Opcode.RC_RDMA_WRITE_LAST;
            case Op.RDMA_WRITE_WITH_IMM ->
                first ? Opcode.RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE : Opcode.RC_RDMA_WRITE_LAST_WITH_IMMEDIATE;
            default -> throw new AssertionError("operation " + op + " is not sent as data");
        };
    }
}
