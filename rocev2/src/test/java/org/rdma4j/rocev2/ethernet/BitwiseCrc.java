package org.rdma4j.rocev2.ethernet;

import java.util.Arrays;

/**
 * The ICRC worked out from the frame alone, the way the standard tells it and with nothing of the library's: the frame's
 * own headers, masked by hand, and a CRC-32 bit by bit.
 */
public final class BitwiseCrc {

    private BitwiseCrc() {}

    /** The ICRC that a frame should end with, lowest byte first. */
    public static int icrcOf(byte[] frame) {
        int network = 14;
        if (u16(frame, 12) == 0x8100) {
            network = 18;
        }
        byte[] bytes;
        int bth;
        switch (u16(frame, network - 2)) {
            case 0x8915 -> {
                bth = 40;
                bytes = Arrays.copyOfRange(frame, network, network + 40 + u16(frame, network + 4) - 4);
            }
            case 0x0800 -> {
                bth = 28;
                bytes = Arrays.copyOfRange(frame, network, network + u16(frame, network + 2) - 4);
                bytes[1] = bytes[8] = bytes[10] = bytes[11] = -1;
                bytes[26] = bytes[27] = -1;
            }
            case 0x86DD -> {
                bth = 48;
                bytes = Arrays.copyOfRange(frame, network, network + 40 + u16(frame, network + 4) - 4);
                bytes[46] = bytes[47] = -1;
            }
            default -> throw new AssertionError("no RoCE: " + u16(frame, network - 2));
        }
        if (bth != 28) {
            bytes[0] |= 0x0F;
            bytes[1] = bytes[2] = bytes[3] = bytes[7] = -1;
        }
        bytes[bth + 4] = -1;
        int crc = -1;
        for (int i = 0; i < 8; i++) {
            crc = step(crc, 0xFF);
        }
        for (byte each : bytes) {
            crc = step(crc, each & 0xFF);
        }
        return ~crc;
    }

    /** The ICRC that stands in the frame. */
    public static int icrcIn(byte[] frame) {
        int network = u16(frame, 12) == 0x8100 ? 18 : 14;
        boolean ipv4 = u16(frame, network - 2) == 0x0800;
        int end = ipv4 ? network + u16(frame, network + 2) : network + 40 + u16(frame, network + 4);
        return frame[end - 4] & 0xFF
                | (frame[end - 3] & 0xFF) << 8
                | (frame[end - 2] & 0xFF) << 16
                | (frame[end - 1] & 0xFF) << 24;
    }

    private static int step(int crc, int value) {
        int rest = crc ^ value;
        for (int bit = 0; bit < 8; bit++) {
            rest = (rest & 1) != 0 ? rest >>> 1 ^ 0xEDB88320 : rest >>> 1;
        }
        return rest;
    }

    private static int u16(byte[] bytes, int at) {
        return (bytes[at] & 0xFF) << 8 | bytes[at + 1] & 0xFF;
    }
}
