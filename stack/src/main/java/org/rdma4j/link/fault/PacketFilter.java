package org.rdma4j.link.fault;

import java.lang.foreign.MemorySegment;

/** Picks packets to be lost: "the third", "the first ACK", "every packet with this PSN once". */
@FunctionalInterface
public interface PacketFilter {

    /** Picks nothing. */
    PacketFilter NOTHING = (number, packet, offset, length) -> false;

    /**
     * @param number how many packets came before this one on its way, filtered ones included
     * @param packet the memory that holds it
     * @param offset where its BTH starts
     * @param length bytes from BTH to the end of the payload
     * @return whether it is lost
     */
    boolean matches(long number, MemorySegment packet, long offset, int length);

    /** The packets with these numbers; the first is 0. */
    static PacketFilter numbers(long... numbers) {
        return (number, packet, offset, length) -> {
            for (long each : numbers) {
                if (each == number) {
                    return true;
                }
            }
            return false;
        };
    }
}
