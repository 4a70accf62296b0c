package org.rdma4j.rocev2.syscall;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;

/** {@code struct sock_fprog}: a filter of classic BPF, and {@code struct sock_filter}, one instruction of it. */
public final class SockFprog {

    public static final int LEN = 0;
    public static final int FILTER = 8;
    public static final int SIZE = 16;

    /** Bytes of an instruction: code, two jumps, operand. */
    public static final int INSTRUCTION = 8;

    private SockFprog() {}

    public static void set(MemorySegment program, int instructions, long address) {
        program.set(JAVA_SHORT, LEN, (short) instructions);
        program.set(JAVA_LONG, FILTER, address);
    }

    public static void setInstruction(MemorySegment filter, int index, int code, int yes, int no, int operand) {
        long at = (long) index * INSTRUCTION;
        filter.set(JAVA_SHORT, at, (short) code);
        filter.set(JAVA_BYTE, at + 2, (byte) yes);
        filter.set(JAVA_BYTE, at + 3, (byte) no);
        filter.set(JAVA_INT, at + 4, operand);
    }
}
