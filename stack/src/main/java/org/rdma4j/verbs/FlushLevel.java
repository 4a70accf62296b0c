package org.rdma4j.verbs;

/** What a FLUSH is about ({@code ibv_selectivity_level}), with its numbers. */
public enum FlushLevel {
    /** The bytes that it names. */
    RANGE,

    /** The whole region of its R_Key, whatever bytes it names. */
    MEMORY_REGION;

    public int number() {
        return ordinal();
    }
}
