package org.rdma4j.ibsim.sm;

import org.rdma4j.ibsim.mad.Mad;

/**
 * SMInfo (IBTA volume 1, 14.2.5.13): what one subnet manager tells another.
 *
 * @param guid of its port
 * @param key SM_Key, by which managers know that they belong together
 * @param actCount counts on while it works
 * @param priority 0 to 15
 */
public record SmInfo(long guid, long key, int actCount, int priority, SmState state) {

    static final int ATTRIBUTE = 0x20;

    // AttributeModifier of a Set: what the other one should do or know (14.4.1).
    static final int HANDOVER = 1;
    static final int ACKNOWLEDGE = 2;
    static final int DISABLE = 3;
    static final int STAND_BY = 4;
    static final int DISCOVER = 5;

    private static final int GUID = Mad.DATA;
    private static final int KEY = Mad.DATA + 8;
    private static final int ACT_COUNT = Mad.DATA + 16;
    private static final int PRIORITY_STATE = Mad.DATA + 20;

    static SmInfo parse(Mad mad) {
        int both = mad.int8(PRIORITY_STATE);
        SmState[] states = SmState.values();
        return new SmInfo(
                mad.int64(GUID),
                mad.int64(KEY),
                mad.int32(ACT_COUNT),
                both >> 4,
                states[Math.min(both & 0xF, states.length - 1)]);
    }

    void emit(Mad mad) {
        mad.data().fill((byte) 0);
        mad.setInt64(GUID, guid);
        mad.setInt64(KEY, key);
        mad.setInt32(ACT_COUNT, actCount);
        mad.setInt8(PRIORITY_STATE, priority << 4 | state.ordinal());
    }

    /** The higher priority is before the lower one, and of the same the lower GUID (14.4.1.2). */
    boolean outranks(SmInfo other) {
        return priority != other.priority ? priority > other.priority : Long.compareUnsigned(guid, other.guid) < 0;
    }
}
