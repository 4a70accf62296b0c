package org.rdma4j.tools.conform.mutant.iwarp;

/** What stands between a TCP connection's ends and makes the device behave wrongly. A new one for each connection. */
interface StreamTamper {

    /** Where units go on to. */
    interface Ways {
        void toDevice(Unit unit);

        void fromDevice(Unit unit);

        /** The device's stream is over, as the hand-played side sees it. */
        void endFromDevice();

        /** The device breaks the connection. */
        void breakFromDevice();
    }

    default void toDevice(Unit unit, Ways ways) {
        ways.toDevice(unit);
    }

    default void fromDevice(Unit unit, Ways ways) {
        ways.fromDevice(unit);
    }

    /** What of the hand-played side's stream is no unit when that ends: it goes on to the device. */
    default byte[] rest(byte[] bytes) {
        return bytes;
    }

    /** False where the device does not hear of it that the hand-played side breaks the connection. */
    default boolean seesBreaks() {
        return true;
    }

    /** The device has ended its stream. */
    default void deviceEnds(Ways ways) {
        ways.endFromDevice();
    }
}
