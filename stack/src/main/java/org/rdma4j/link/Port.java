package org.rdma4j.link;

import java.util.List;
import org.rdma4j.wire.Gid;

/**
 * What a device stands at the network with, whichever family it is of. One thread at a time drives it; only
 * {@link #wakeup()} may come from another.
 */
public interface Port extends AutoCloseable {

    /** As the user spelled it: {@code roce2:10.0.0.1}. */
    String name();

    /** The GID table; index 0 is the address that packets are sent from. Never empty. */
    List<Gid> gids();

    /** What the GIDs of this port are made for. */
    default GidType gidType() {
        return GidType.ROCE_V2;
    }

    /** The largest path MTU that fits the interface: 256, 512, 1024, 2048 or 4096 bytes. */
    int maxPathMtu();

    /** The interface's own MTU in bytes, for messages to the user. */
    int interfaceMtu();

    /** False where it can tell that it carries nothing now. It may ask the operating system for that. */
    default boolean isUp() {
        return true;
    }

    /**
     * False while so much of what it was given has not gone out that it wants no more for now: an adapter builds a packet
     * when its turn on the cable comes near. Whoever drives the device does so again when there is room.
     */
    default boolean hasRoom() {
        return true;
    }

    /**
     * True where others wait for this port's answers whatever its user does: a port that has an address of its own is
     * asked for it by ARP, where otherwise the operating system would answer. Such a port is polled now and then even
     * while its user polls nothing.
     */
    default boolean hasDuties() {
        return false;
    }

    /** Waits until something may have arrived, {@link #wakeup()} is called, or the time is over. Returns early at will. */
    void await(long nanos);

    /** Ends {@link #await} from any thread. */
    void wakeup();

    /** Shows every frame to {@code tap} from now on; {@code null} ends it. */
    void tap(FrameTap tap);

    /** Counters since the port was opened. */
    LinkCounters counters();

    @Override
    void close();
}
