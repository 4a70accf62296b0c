package org.rdma4j.transport;

/**
 * When a responder's plain acknowledgement is due. One covers everything before it (9.7.5.1.2), and to send and to
 * receive one costs as much as a train; so it is put off while more requests are likely to come, but never for long.
 */
final class AckDelay {

    /** Bytes that are not left unacknowledged: about four trains, and a part of any window worth having. */
    private static final int BYTES = 256 << 10;

    /** Messages after which the requester's queue may be short of room, so that it is told in the middle of a train. */
    private static final int MESSAGES = 64;

    /** The same while the application answers: then its answers are what the peer waits for. */
    private static final int ANSWERED_MESSAGES = 16;

    /** Looks at the network without a request after which an acknowledgement goes. */
    private static final int ROUNDS = 1;

    private static final int ROUNDS_WHEN_ANSWERED = 32;

    private int bytes;
    private int messages;
    private int lastRound;
    private boolean answered;

    void reset() {
        bytes = 0;
        messages = 0;
        answered = false;
    }

    /** A request packet was executed. */
    void onRequest(int payload, boolean ackReq, int round) {
        bytes += payload;
        lastRound = round;
        if (ackReq) {
            messages++;
        }
    }

    /** The application sent something of its own after the request: it may well be what the peer waits for. */
    void onOwnPacket() {
        answered = true;
    }

    /** True where the acknowledgement is better not left to the end of the train. */
    boolean isUrgent() {
        return messages >= MESSAGES;
    }

    /** @param round the engine's count of looks at the network */
    boolean isDue(int round) {
        if (bytes >= BYTES || messages >= (answered ? ANSWERED_MESSAGES : MESSAGES)) {
            return true;
        }
        return round - lastRound > (answered ? ROUNDS_WHEN_ANSWERED : ROUNDS);
    }
}
