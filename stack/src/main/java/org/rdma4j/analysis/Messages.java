package org.rdma4j.analysis;

import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Psn;

/** The latest messages of a requester in the order of their PSNs. */
final class Messages {

    /** How many messages back a resend is still told which message it belongs to. */
    private static final int REMEMBERED = 128;

    private final Message[] ring = new Message[REMEMBERED];
    private int oldest;
    private int size;

    private Message at(int index) {
        return ring[oldest + index & REMEMBERED - 1];
    }

    /** The newest by PSN, or null. */
    Message newest() {
        return size == 0 ? null : at(size - 1);
    }

    /**
     * The message that a request belongs to, noted down where the request starts it; null where its start was missed.
     *
     * @param isNew true where no packet with this PSN or a later one was there before
     */
    Message of(PacketView request, boolean isNew) {
        if (Opcode.isFirstOrOnly(request.opcode)) {
            return started(request, isNew);
        }
        for (int index = size - 1; index >= 0; index--) {
            Message message = at(index);
            if (!message.isRead && message.holds(request.psn)) {
                if (Opcode.isLast(request.opcode)) {
                    message.end(request.psn, request.payload);
                }
                return message;
            }
        }
        return null;
    }

    private Message started(PacketView request, boolean isNew) {
        boolean isRead = request.isRead();
        if (!isNew) {
            Message rest = readThatThisIsTheRestOf(request);
            if (rest != null) {
                return rest;
            }
            for (int index = size - 1; index >= 0; index--) {
                Message message = at(index);
                if (message.psn == request.psn && message.isRead == isRead) {
                    return message;
                }
            }
        }
        boolean isFirst = Opcode.isFirst(request.opcode);
        long lengthWithoutReth = isFirst ? PacketPlace.UNKNOWN : request.payload;
        Message message = new Message(request, Opcode.hasReth(request.opcode) ? request.length : lengthWithoutReth);
        if (isFirst) {
            message.learnBytesPerPacket(request.payload);
        } else if (!isRead) {
            message.endBefore(Psn.next(request.psn));
        }
        insert(message);
        return message;
    }

    private void insert(Message message) {
        int at = size;
        while (at > 0 && Psn.difference(message.psn, at(at - 1).psn) < 0) {
            at--;
        }
        if (at < size) {
            message.endBefore(at(at).psn);
        }
        if (at > 0) {
            at(at - 1).endBefore(message.psn);
        }
        if (size == REMEMBERED) {
            if (at == 0) {
                return;
            }
            oldest++;
            at--;
            size--;
        }
        for (int index = size; index > at; index--) {
            ring[oldest + index & REMEMBERED - 1] = at(index - 1);
        }
        ring[oldest + at & REMEMBERED - 1] = message;
        size++;
    }

    /** A READ whose first responses came is requested again from where they ended, with a PSN of its own. */
    Message readThatThisIsTheRestOf(PacketView request) {
        if (!request.isRead()) {
            return null;
        }
        long end = request.address + request.length;
        for (int index = size - 1; index >= 0; index--) {
            Message message = at(index);
            if (message.isRead
                    && message.psn != request.psn
                    && message.holds(request.psn)
                    && message.address + message.length() == end
                    && request.length < message.length()) {
                return message;
            }
        }
        return null;
    }

    /** The READ or atomic that a response belongs to, or null. */
    Message answeredBy(int psn) {
        for (int index = size - 1; index >= 0; index--) {
            Message message = at(index);
            if (message.isAnswerable && message.holds(psn)) {
                return message;
            }
        }
        return null;
    }

    /** The first READ or atomic at or behind a PSN, or null. */
    Message answerableFrom(int psn) {
        Message found = null;
        for (int index = size - 1; index >= 0 && Psn.difference(at(index).psn, psn) >= 0; index--) {
            found = at(index).isAnswerable ? at(index) : found;
        }
        return found;
    }

    /** The message that holds a PSN, or null. */
    Message holding(int psn) {
        for (int index = size - 1; index >= 0; index--) {
            if (at(index).holds(psn)) {
                return at(index);
            }
        }
        return null;
    }
}
