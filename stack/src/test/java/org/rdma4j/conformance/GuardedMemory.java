package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Memory with a zone on each side that nothing may ever touch. */
final class GuardedMemory {

    private static final int GUARD = 16 << 10;
    private static final byte GUARD_BYTE = (byte) 0xA5;

    /** Bytes that the guard zones take. */
    static final int ROOM = 2 * GUARD;

    /** What the inside holds where nothing was written. */
    static final byte UNTOUCHED = 0x5C;

    private final MemorySegment whole;
    private final MemorySegment inside;
    private final MemorySegment guard;

    private GuardedMemory(MemorySegment whole, byte guardByte) {
        this.whole = whole;
        this.inside = whole.asSlice(GUARD, whole.byteSize() - ROOM);
        this.guard = MemorySegment.ofArray(new byte[GUARD]).fill(guardByte);
        whole.fill(guardByte);
        inside.fill(UNTOUCHED);
    }

    static GuardedMemory allocate(Arena arena, int size) {
        return around(arena.allocate(size + (long) ROOM, 64), GUARD_BYTE);
    }

    /** In memory that is there already: mapped, or on the heap; its ends become the guard zones. */
    static GuardedMemory around(MemorySegment memory, byte guardByte) {
        return new GuardedMemory(memory, guardByte);
    }

    /** The part that may be registered. */
    MemorySegment inside() {
        return inside;
    }

    byte[] get(long offset, int length) {
        return inside.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    long getLong(long offset) {
        return inside.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
    }

    void putLong(long offset, long value) {
        inside.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, value);
    }

    void put(long offset, byte[] bytes) {
        MemorySegment.copy(bytes, 0, inside, ValueLayout.JAVA_BYTE, offset, bytes.length);
    }

    /** The bytes from an offset on are these. */
    void holds(long offset, byte[] bytes) {
        assertArrayEquals(bytes, get(offset, bytes.length), "memory from offset " + offset);
    }

    /** Nothing was written to these bytes. */
    void isUntouched(long offset, int length) {
        for (int i = 0; i < length; i++) {
            assertEquals(UNTOUCHED, inside.get(ValueLayout.JAVA_BYTE, offset + i), "byte at offset " + (offset + i));
        }
    }

    void isUntouched() {
        isUntouched(0, (int) inside.byteSize());
    }

    void guardsAreWhole() {
        assertEquals(-1, whole.asSlice(0, GUARD).mismatch(guard), "first byte changed in the guard zone below");
        long above = whole.byteSize() - GUARD;
        assertEquals(-1, whole.asSlice(above).mismatch(guard), "first byte changed in the guard zone above");
    }
}
