package org.rdma4j.ibsim.door;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What a program and the simulator say to each other about the program itself: 80 bytes, in the host's byte order but for
 * what is an attribute's bytes.
 *
 * <pre>
 *  0 u32 magic   4 u32 client   8 u32 type   12 u32 length of data   16 data[64]
 * </pre>
 */
final class ControlMessage {

    static final int LENGTH = 80;
    static final int MAGIC = 0xDEAD_BEEF;

    static final int ERROR = 0;
    static final int CONNECT = 1;
    static final int DISCONNECT = 2;
    static final int GET_PORT = 3;
    static final int GET_VENDOR = 4;
    static final int GET_GID = 5;
    static final int GET_GUID = 6;
    static final int GET_NODE_INFO = 7;
    static final int GET_PORT_INFO = 8;
    static final int SET_ISSM = 9;
    static final int GET_PKEYS = 10;

    private static final int CLIENT = 4;
    private static final int TYPE = 8;
    private static final int DATA_SIZE = 12;
    private static final int DATA = 16;
    static final int DATA_ROOM = 64;

    /** The data of CONNECT: what the program is, and where it wants to sit. */
    static final int ID = DATA;

    static final int QPN = DATA + 4;
    static final int ISSM = DATA + 8;
    static final int NODE = DATA + 12;
    static final int NODE_LENGTH = 32;
    static final int CONNECT_SIZE = 12 + NODE_LENGTH;

    private final ByteBuffer bytes;

    /** @param bytes exactly one message */
    ControlMessage(ByteBuffer bytes) {
        this.bytes = bytes.order(ByteOrder.LITTLE_ENDIAN);
    }

    /** True where these bytes may be one. */
    static boolean isOne(ByteBuffer bytes) {
        return bytes.remaining() >= DATA && bytes.order(ByteOrder.LITTLE_ENDIAN).getInt(bytes.position()) == MAGIC;
    }

    int client() {
        return bytes.getInt(CLIENT);
    }

    int type() {
        return bytes.getInt(TYPE);
    }

    int int32(int offset) {
        return bytes.getInt(offset);
    }

    int data8(int offset) {
        return bytes.get(DATA + offset) & 0xFF;
    }

    /** Text up to its zero. */
    String text(int offset, int room) {
        StringBuilder text = new StringBuilder();
        for (int at = offset; at < offset + room && bytes.get(at) != 0; at++) {
            text.append((char) (bytes.get(at) & 0xFF));
        }
        return text.toString();
    }

    // Answers.

    ControlMessage answer(int type, int client) {
        bytes.putInt(TYPE, type);
        bytes.putInt(CLIENT, client);
        return this;
    }

    ControlMessage data(byte[] data) {
        bytes.putInt(DATA_SIZE, Math.min(data.length, DATA_ROOM));
        for (int at = 0; at < Math.min(data.length, DATA_ROOM); at++) {
            bytes.put(DATA + at, data[at]);
        }
        return this;
    }

    ByteBuffer bytes() {
        return bytes.position(0).limit(LENGTH);
    }
}
