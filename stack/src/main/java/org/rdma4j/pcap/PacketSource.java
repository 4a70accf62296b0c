package org.rdma4j.pcap;

/** A file format: gives one packet after the other. */
interface PacketSource {

    /**
     * The next packet, or null at the file's end.
     *
     * @throws CaptureException at the first damage
     */
    CapturedPacket next();
}
