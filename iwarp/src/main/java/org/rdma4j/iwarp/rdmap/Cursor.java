package org.rdma4j.iwarp.rdmap;

/**
 * How far a stream of FPDUs has been made: which message comes next, or which one is under way and up to where. A sender
 * goes ahead with a copy and goes back to the last one whose FPDUs TCP has taken.
 */
final class Cursor {

    /** What is under way. */
    enum Message {
        /** Nothing: the next message is to be chosen. */
        NONE,
        /** The work request {@link #request}. */
        REQUEST,
        /** The immediate data behind the Write of work request {@link #request} (RFC 7306, 6). */
        IMMEDIATE,
        /** The response {@link #response}, to a Read or an atomic. */
        RESPONSE,
        /** The peer is told that this side is ready to receive (RFC 6581, 9). */
        READY,
        /** Terminate, the last message. */
        TERMINATE,
        /** No message comes any more. */
        OVER
    }

    Message message = Message.NONE;

    /** The oldest work request that is not made whole. */
    long request;

    /** The oldest response that is not made whole. */
    long response;

    /** Payload bytes of the message under way that are made. */
    long offset;

    /** The sequence number of each untagged queue's newest message; the first one is 1 (RFC 5041, 5.2). */
    int sendMsn;

    int requestMsn;
    int atomicMsn;

    /** Reads and atomics that were made, ever. */
    long asked;

    /** Whose turn it is where both a request and a response are there. */
    boolean responseNext;

    /** In the stream of FPDUs, markers included. */
    long position;

    void copyFrom(Cursor other) {
        message = other.message;
        request = other.request;
        response = other.response;
        offset = other.offset;
        sendMsn = other.sendMsn;
        requestMsn = other.requestMsn;
        atomicMsn = other.atomicMsn;
        asked = other.asked;
        responseNext = other.responseNext;
        position = other.position;
    }
}
