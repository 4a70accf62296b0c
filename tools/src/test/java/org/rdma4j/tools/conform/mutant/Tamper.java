package org.rdma4j.tools.conform.mutant;

/** What stands between the wire and a device, and makes it behave wrongly. A new one for each run of a check. */
public interface Tamper {

    /** Where packets go on to. */
    interface Ways {
        void toDevice(Tampered packet);

        void fromDevice(Tampered packet);

        /** The hand-played side's queue pair; 0 where it is not said. */
        int lineQpn();
    }

    default void toDevice(Tampered packet, Ways ways) {
        ways.toDevice(packet);
    }

    /** A whole frame that a check made itself. @return what the device takes it for, {@code null} where it does not see it */
    default byte[] frameToDevice(byte[] frame) {
        return frame;
    }

    /** A whole frame of the device's. @return what is seen of it in its place, {@code null} where nothing is */
    default byte[] frameFromDevice(byte[] frame) {
        return frame;
    }

    default void fromDevice(Tampered packet, Ways ways) {
        ways.fromDevice(packet);
    }
}
