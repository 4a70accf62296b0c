package org.rdma4j.trace;

import org.rdma4j.wire.Psn;

/** A message of a requester as its packets tell it; a READ's PSNs are those of its responses. */
final class Message {

    private static final int SMALLEST_MTU = 256;

    final int psn;
    final boolean isRead;

    /** Where it goes to or is read from; 0 where no header said so. */
    final long address;

    /** Bytes of the whole message; {@link PacketPlace#UNKNOWN} of a SEND until its end. */
    private long length;

    /** PSNs that it takes at most: until it is known how much a packet holds, this is more than it takes. */
    private int packets;

    private int bytesPerPacket;

    Message(int psn, boolean isRead, long address, long length) {
        this.psn = psn;
        this.isRead = isRead;
        this.address = address;
        this.length = length;
        this.packets = length == PacketPlace.UNKNOWN ? Psn.HALF - 1 : packetsOf(SMALLEST_MTU);
    }

    private int packetsOf(int bytes) {
        return (int) Math.min(Psn.HALF - 1, Math.max(1, (length + bytes - 1) / bytes));
    }

    long length() {
        return length;
    }

    int packets() {
        return packets;
    }

    /** What a full packet of it holds. */
    void learnBytesPerPacket(int bytes) {
        if (bytesPerPacket == 0 && bytes > 0) {
            bytesPerPacket = bytes;
            if (length != PacketPlace.UNKNOWN) {
                packets = Math.min(packets, packetsOf(bytes));
            }
        }
    }

    /** Its last packet. */
    void end(int lastPsn, long payload) {
        endBefore(Psn.next(lastPsn));
        if (length == PacketPlace.UNKNOWN) {
            length = bytesUpTo(lastPsn, payload);
        }
    }

    /** Another message starts there. */
    void endBefore(int otherPsn) {
        packets = Math.clamp(Psn.difference(otherPsn, psn), 1, packets);
    }

    boolean holds(int wanted) {
        int behind = Psn.difference(wanted, psn);
        return behind >= 0 && behind < packets;
    }

    /** Bytes from its start to the end of a packet. */
    long bytesUpTo(int packetPsn, long payload) {
        int before = Psn.difference(packetPsn, psn);
        return before == 0 || bytesPerPacket > 0 ? (long) before * bytesPerPacket + payload : PacketPlace.UNKNOWN;
    }
}
