package org.rdma4j.ibsim.ethernet;

import org.rdma4j.ibsim.fabric.TopologyException;

/**
 * The memory that all ports of a switch share. Frames of a class without loss count where they came in: from a threshold on
 * (XOFF) the sender there is to stop, below another (XON) it may go on, and what is on its way meanwhile has its headroom.
 * All other frames count where they go out: a queue may take as much as is still free, so that one alone gets half of the
 * memory and several share it (dynamic thresholds, Choudhury and Hahne 1998, with alpha 1).
 */
final class SwitchBuffer {

    /** The part of the memory that other classes keep where one has no loss. */
    private static final int OTHERS = 8;

    private final boolean pfc;
    private final long lossy;
    private final int xoff;
    private final int xon;
    private final int headroom;
    private final long[] held; // bytes of the class without loss, by the number of the port that they came in by
    private long used; // bytes of the others

    SwitchBuffer(String name, int ports, RoceSettings settings) {
        long all = (long) ports * settings.portBuffer();
        pfc = settings.pfc();
        lossy = pfc ? all / OTHERS : all;
        headroom = settings.headroom();
        xoff = (int) Math.min(Integer.MAX_VALUE / 2, (all - lossy) / ports - headroom);
        xon = xoff - 2 * EthernetFrame.CAPACITY;
        held = new long[ports + 1];
        if (pfc && xon <= 0) {
            throw new TopologyException("switch \"" + name + "\": a buffer of " + settings.portBuffer()
                    + " bytes a port is too small for PFC: headroom takes " + headroom);
        }
    }

    private boolean isLossless(int priority) {
        return pfc && priority == RoceSettings.DATA_CLASS;
    }

    /** Takes a frame in that came by one port and is to leave by another. @return false where there is no room */
    boolean admit(EthernetFrame frame, EthernetPort in, EthernetPort out, long now) {
        int size = frame.size();
        if (isLossless(frame.priority)) {
            int port = in.number();
            if (held[port] + size > (long) xoff + headroom) {
                in.counters().headroomDrops++;
                return false;
            }
            held[port] += size;
            if (held[port] > xoff && !in.stops(frame.priority)) {
                in.stop(frame.priority, now);
            }
            return true;
        }
        long free = lossy - used;
        if (size > free || out.queue(frame.priority).bytes() + size > free) {
            out.counters().tailDrops++;
            return false;
        }
        used += size;
        return true;
    }

    /** A frame has left. */
    void release(EthernetPort in, int priority, int size, long now) {
        if (!isLossless(priority)) {
            used -= size;
            return;
        }
        held[in.number()] -= size;
        if (held[in.number()] <= xon && in.stops(priority)) {
            in.resume(priority, now);
        }
    }
}
