package org.rdma4j.analysis;

import java.util.function.Predicate;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Psn;

/** The latest messages of a requester in the order of their PSNs; each ends before the next one starts. */
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

    /** Where the newest one that starts at a PSN or before it is; -1 where there is none. */
    private int atOrBefore(int psn) {
        if (size > 0 && Psn.difference(psn, newest().psn) >= 0) {
            return size - 1;
        }
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = low + high >>> 1;
            if (Psn.difference(psn, at(middle).psn) >= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }

    /** The newest of some that holds a PSN, or null. Two may start with the same one, a READ and another. */
    private Message holding(int psn, Predicate<Message> wanted) {
        int nearest = atOrBefore(psn);
        for (int index = nearest; index >= 0 && at(index).psn == at(nearest).psn; index--) {
            Message message = at(index);
            if (message.holds(psn) && wanted.test(message)) {
                return message;
            }
        }
        return null;
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
        Message message = holding(request.psn, each -> !each.isRead);
        if (message != null && Opcode.isLast(request.opcode)) {
            message.end(request.psn, request.payload);
        }
        return message;
    }

    private Message started(PacketView request, boolean isNew) {
        boolean isRead = request.isRead();
        if (!isNew) {
            Message known = holding(request.psn, each -> each.psn == request.psn && each.isRead == isRead);
            if (known != null) {
                return known;
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
        int at = atOrBefore(message.psn) + 1;
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
        return holding(
                request.psn,
                message -> message.isRead
                        && message.psn != request.psn
                        && message.address + message.length() == end
                        && request.length < message.length());
    }

    /** The READ or atomic that a response belongs to, or null. */
    Message answeredBy(int psn) {
        return holding(psn, message -> message.isAnswerable);
    }

    /** The first READ or atomic at or behind a PSN, or null. */
    Message answerableFrom(int psn) {
        for (int index = atOrBefore(Psn.add(psn, -1)) + 1; index < size; index++) {
            if (at(index).isAnswerable) {
                return at(index);
            }
        }
        return null;
    }

    /** The message that holds a PSN, or null. */
    Message holding(int psn) {
        return holding(psn, any -> true);
    }
}
