package org.rdma4j.rocev2.capture;

import java.lang.foreign.MemorySegment;

/** An interface that is listened to. One thread polls; any may wake it. */
public interface FrameCapture extends AutoCloseable {

    /** Takes a frame: from Ethernet header to its end, without FCS, its VLAN tag in its place. */
    @FunctionalInterface
    interface Handler {

        /**
         * The bytes are valid during the call only.
         *
         * @param time when it went by, nanoseconds since 1970
         * @param length bytes that are there
         * @param originalLength bytes on the wire
         */
        void onFrame(long time, MemorySegment memory, long at, int length, int originalLength);
    }

    /** Gives what has come to the handler, and returns. @return how many frames that were */
    int poll(Handler handler);

    /** Waits until frames are there, or the time is over. */
    void await(long nanos);

    void wakeup();

    /** Frames that passed the filter and found no room, since it was opened. */
    long dropped();

    @Override
    void close();
}
