package org.rdma4j.iwarp.wire;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;

/** Bytes as tests write them: hexadecimal, with blanks where they help. */
public final class Hex {

    private Hex() {}

    public static MemorySegment segment(String digits) {
        return MemorySegment.ofArray(HexFormat.of().parseHex(digits.replace(" ", "")));
    }

    public static String of(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
