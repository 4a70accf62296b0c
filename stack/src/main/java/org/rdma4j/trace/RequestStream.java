package org.rdma4j.trace;

import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.Psn;

/** One direction's requests of a connection, and the responses that they got, followed by their PSNs. */
final class RequestStream {

    /** How many packets may have been overtaken by the first one that was seen. */
    private static final int MAY_BE_OVERTAKEN = 64;

    private final int service;
    private final int firstPsn;
    private final PsnWindow requests;
    private final PsnWindow answers;
    private final Messages messages = new Messages();
    private int last;
    private int rounds;
    private boolean started;

    /** True once it is known whose responses belong here. */
    boolean isAnswered;

    /** @param service the opcodes' service bits */
    RequestStream(int service, int firstPsn) {
        this.service = service;
        this.firstPsn = firstPsn;
        this.requests = new PsnWindow(firstPsn);
        this.answers = new PsnWindow(firstPsn);
        this.last = firstPsn;
    }

    /** How far a PSN is ahead of all requests so far. */
    int ahead(int psn) {
        return requests.ahead(psn);
    }

    /** True where a response with this PSN can belong here. */
    boolean mayAnswer(int wantedService, int psn) {
        return wantedService == service
                && Psn.difference(psn, firstPsn) >= -MAY_BE_OVERTAKEN
                && Psn.difference(psn, nextAtMost()) <= 0;
    }

    /** The PSN of the next new request at most: behind a READ it is not sure how many PSNs its responses take. */
    private int nextAtMost() {
        Message newest = messages.newest();
        if (newest == null || !newest.isRead) {
            return requests.next();
        }
        int behind = Psn.add(newest.psn, newest.packets());
        return Psn.difference(behind, requests.next()) > 0 ? behind : requests.next();
    }

    /** Takes note of a request. */
    PacketPlace request(Packet packet) {
        int psn = packet.bth().psn();
        boolean isFirst = !started;
        started = true;
        boolean isRest = messages.readThatThisIsTheRestOf(packet) != null;
        boolean isNew = !isRest && requests.ahead(psn) >= 0;
        boolean wasSeen = isRest || requests.wasSeen(psn);
        int missing = isNew ? Math.max(0, Psn.difference(psn, nextAtMost())) : 0;
        if (isNew) {
            rounds = 0;
        } else if (wasSeen && (rounds == 0 || Psn.difference(psn, last) <= 0)) {
            rounds++;
        }
        last = psn;
        requests.see(psn);
        Message message = messages.of(packet);
        boolean isKnown = message != null && !message.isRead;
        return new PacketPlace(
                Psn.difference(psn, firstPsn),
                firstPsn,
                isFirst,
                isReliable() && wasSeen ? rounds : 0,
                isReliable() && !isNew && !wasSeen,
                service == Opcode.UD ? 0 : missing,
                isKnown ? message.bytesUpTo(psn, packet.payload().byteSize()) : PacketPlace.UNKNOWN,
                isKnown ? message.length() : PacketPlace.UNKNOWN);
    }

    /** Of other services no packet is sent again. */
    private boolean isReliable() {
        return service == Opcode.RC || service == Opcode.XRC;
    }

    /** Takes note of a response. */
    PacketPlace response(Packet packet) {
        int psn = packet.bth().psn();
        int opcode = packet.bth().opcode();
        if (!Opcode.isReadResponse(opcode) && !Opcode.hasAtomicAckEth(opcode)) {
            return place(psn, false, false, PacketPlace.UNKNOWN, PacketPlace.UNKNOWN);
        }
        boolean wasSeen = answers.wasSeen(psn);
        boolean isLate = !wasSeen && answers.ahead(psn) < 0;
        answers.see(psn);
        Message read = Opcode.isReadResponse(opcode) ? messages.readAnsweredBy(psn) : null;
        if (read == null) {
            return place(psn, wasSeen, isLate, PacketPlace.UNKNOWN, PacketPlace.UNKNOWN);
        }
        long payload = packet.payload().byteSize();
        if (Opcode.isLastOrOnly(opcode)) {
            return place(psn, wasSeen, isLate, read.length(), read.length());
        }
        read.learnBytesPerPacket((int) payload);
        return place(psn, wasSeen, isLate, read.bytesUpTo(psn, payload), read.length());
    }

    private PacketPlace place(int psn, boolean wasSeen, boolean isLate, long bytes, long length) {
        int relative = Psn.difference(psn, firstPsn);
        return new PacketPlace(relative, firstPsn, false, wasSeen ? 1 : 0, isLate, 0, bytes, length);
    }
}
