package org.rdma4j.trace;

import java.util.ArrayList;
import java.util.List;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.Psn;
import org.rdma4j.wire.Reth;

/** The latest messages of a requester, the newest first. */
final class Messages {

    /** How many messages back a resend is still told which message it belongs to. */
    private static final int REMEMBERED = 64;

    private final List<Message> messages = new ArrayList<>();

    /** The newest by PSN, or null. */
    Message newest() {
        return messages.isEmpty() ? null : messages.getFirst();
    }

    /** The message that a request belongs to, noted down where the request starts it; null where its start was missed. */
    Message of(Packet request) {
        int psn = request.bth().psn();
        int opcode = request.bth().opcode();
        long payload = request.payload().byteSize();
        if (Opcode.isFirstOrOnly(opcode)) {
            return started(request);
        }
        for (Message message : messages) {
            if (!message.isRead && message.holds(psn)) {
                if (Opcode.isLast(opcode)) {
                    message.end(psn, payload);
                }
                return message;
            }
        }
        return null;
    }

    private Message started(Packet request) {
        int psn = request.bth().psn();
        Message rest = readThatThisIsTheRestOf(request);
        if (rest != null) {
            return rest;
        }
        boolean isRead = isReadRequest(request);
        for (Message message : messages) {
            if (message.psn == psn && message.isRead == isRead) {
                return message;
            }
        }
        Reth reth = request.extension(Reth.class).orElse(null);
        long payload = request.payload().byteSize();
        boolean isFirst = Opcode.isFirst(request.bth().opcode());
        long lengthWithoutReth = isFirst ? PacketPlace.UNKNOWN : payload;
        Message message = new Message(
                psn,
                isRead,
                reth == null ? 0 : reth.virtualAddress(),
                reth == null ? lengthWithoutReth : reth.dmaLength());
        if (isFirst) {
            message.learnBytesPerPacket((int) payload);
        } else if (!isRead) {
            message.endBefore(Psn.next(psn));
        }
        insert(message);
        return message;
    }

    private void insert(Message message) {
        int at = 0;
        while (at < messages.size() && Psn.difference(message.psn, messages.get(at).psn) < 0) {
            at++;
        }
        if (at > 0) {
            message.endBefore(messages.get(at - 1).psn);
        }
        if (at < messages.size()) {
            messages.get(at).endBefore(message.psn);
        }
        messages.add(at, message);
        if (messages.size() > REMEMBERED) {
            messages.removeLast();
        }
    }

    /** A READ whose first responses came is requested again from where they ended, with a PSN of its own. */
    Message readThatThisIsTheRestOf(Packet request) {
        if (!isReadRequest(request)) {
            return null;
        }
        Reth reth = request.extension(Reth.class).orElseThrow();
        long end = reth.virtualAddress() + reth.dmaLength();
        int psn = request.bth().psn();
        for (Message message : messages) {
            if (message.isRead
                    && message.psn != psn
                    && message.holds(psn)
                    && message.address + message.length() == end
                    && reth.dmaLength() < message.length()) {
                return message;
            }
        }
        return null;
    }

    /** The READ that a response belongs to, or null. */
    Message readAnsweredBy(int psn) {
        for (Message message : messages) {
            if (message.isRead && message.holds(psn)) {
                return message;
            }
        }
        return null;
    }

    private static boolean isReadRequest(Packet request) {
        return Opcode.operation(request.bth().opcode()) == Opcode.RC_RDMA_READ_REQUEST;
    }
}
