package org.rdma4j.analysis;

import org.rdma4j.wire.Psn;

/** A message of a requester as its packets tell it; a READ's PSNs are those of its responses. */
final class Message {

    private static final int SMALLEST_MTU = 256;

    final int psn;
    final boolean isRead;

    /** A READ or an atomic: its answer carries data. */
    final boolean isAnswerable;

    /** Where it goes to or is read from; 0 where no header said so. */
    final long address;

    /** When its first packet was sent for the first time. */
    final long start;

    /** The frame of the latest request for it. */
    long frame;

    /** How often a READ was asked for, in whole or in part. */
    int requests;

    /** Bytes of the whole message; {@link PacketPlace#UNKNOWN} of a SEND until its end. */
    private long length;

    /** PSNs that it takes at most: until it is known how much a packet holds, this is more than it takes. */
    private int packets;

    private int bytesPerPacket;

    Message(PacketView first, long length) {
        this.psn = first.psn;
        this.isRead = first.isRead();
        this.isAnswerable = first.isAnswerable();
        this.address = org.rdma4j.wire.Opcode.hasReth(first.opcode) ? first.address : 0;
        this.start = first.time;
        this.frame = first.frame;
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

    /** The PSN behind its last one, or further. */
    int behind() {
        return Psn.add(psn, packets);
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
