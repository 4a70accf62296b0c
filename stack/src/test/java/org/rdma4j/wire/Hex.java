package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;

/** Bytes as tests write them: hexadecimal, with blanks where they help. */
final class Hex {

    private Hex() {}

    static MemorySegment segment(String digits) {
        return MemorySegment.ofArray(bytes(digits));
    }

    static byte[] bytes(String digits) {
        return HexFormat.of().parseHex(digits.replace(" ", ""));
    }

    static String of(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
