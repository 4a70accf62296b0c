package org.rdma4j.wire;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** How the fields of every header lie in memory: big-endian, at any alignment. */
public final class NetworkOrder {

    public static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    public static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    public static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    public static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /** The low 24 bits: a QP number, a PSN, an MSN. */
    public static final int MASK_24 = 0xFF_FFFF;

    private NetworkOrder() {}
}
