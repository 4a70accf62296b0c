package org.rdma4j.transport;

import org.rdma4j.wire.Opcode;

/** What the last request packet left open at a responder of a connected service. */
enum Message {
    NONE,
    SEND,
    WRITE;

    /** The message that a packet of this opcode leaves open. */
    static Message behind(int opcode) {
        if (Opcode.isLastOrOnly(opcode)) {
            return NONE;
        }
        return Opcode.isSend(opcode) ? SEND : WRITE;
    }

    /** True where a packet of this opcode may come next: the table of legal successions (9.7.4.1.1). */
    boolean admits(int opcode) {
        if (Opcode.isMiddle(opcode) || Opcode.isLast(opcode)) {
            return this == (Opcode.isSend(opcode) ? SEND : WRITE);
        }
        return this == NONE;
    }

    /** Payload against path MTU and pad: what the opcode alone decides (C9-92). */
    static boolean payloadFits(int opcode, int payload, int pathMtu) {
        if (!Opcode.isLastOrOnly(opcode)) {
            return payload == pathMtu; // and no pad, or the packet would not be of whole words
        }
        return payload <= pathMtu && (payload > 0 || Opcode.isOnly(opcode));
    }
}
