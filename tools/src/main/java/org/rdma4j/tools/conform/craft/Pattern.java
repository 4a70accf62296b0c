package org.rdma4j.tools.conform.craft;

/** Payload that tells where it belongs: a byte is known from a seed, the PSN mostly, and its place. */
public final class Pattern {

    private Pattern() {}

    public static byte[] of(int seed, int length) {
        byte[] bytes = new byte[length];
        for (int at = 0; at < length; at++) {
            bytes[at] = (byte) (31 * seed + at + (at >> 8) + 1);
        }
        return bytes;
    }
}
