package org.rdma4j.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rdma4j.trace.TestFrames.acknowledge;
import static org.rdma4j.trace.TestFrames.packet;
import static org.rdma4j.trace.TestFrames.request;
import static org.rdma4j.trace.TestFrames.response;

import org.junit.jupiter.api.Test;
import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.Deth;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Reth;
import org.rdma4j.wire.RoceFrame;
import org.rdma4j.wire.Syndrome;

class StreamsTest {

    private final Streams streams = new Streams();

    private PacketPlace place(RoceFrame frame) {
        return streams.place(frame, packet(frame));
    }

    private PacketPlace send(int psn) {
        return place(request(Opcode.RC_SEND_ONLY, psn, 8));
    }

    @Test
    void countsPsnsAcrossTheWrap() {
        assertEquals(0, send(0xFFFFFF).relativePsn());
        assertEquals(1, send(0).relativePsn());
        assertEquals(1, place(acknowledge(0, Syndrome.ACK_UNLIMITED, 2)).relativePsn());
        assertEquals(0, send(0).missing());
    }

    @Test
    void tellsResentFromOvertakenAndMissing() {
        send(100);
        assertEquals(2, send(103).missing());
        assertTrue(send(102).isLate());
        assertEquals(1, send(102).again());
        assertEquals(1, send(103).again());
        assertEquals(2, send(102).again());
        PacketPlace next = send(104);
        assertEquals(0, next.again());
        assertFalse(next.isLate());
    }

    @Test
    void forgetsWhatWasResentLongAgoButNotThatItWas() {
        for (int psn = 0; psn < 10_000; psn++) {
            send(psn);
        }
        assertEquals(1, send(10).again());
        assertEquals(1, send(9_999).again());
    }

    @Test
    void aNewQueuePairWithAnOldNumberStartsAnew() {
        send(5);
        PacketPlace first = send(8_000_000);
        assertTrue(first.isFirst());
        assertEquals(0, first.relativePsn());
        assertEquals(0, place(acknowledge(8_000_000, Syndrome.ACK_UNLIMITED, 1)).relativePsn());
    }

    @Test
    void theRestOfAReadIsTheSameReadAgain() {
        place(request(Opcode.RC_RDMA_READ_REQUEST, 10, 0, new Reth(0x1000, 7, 2500)));
        assertEquals(
                1024, place(read(Opcode.RC_RDMA_READ_RESPONSE_FIRST, 10, 1024)).messageBytes());
        PacketPlace rest = place(request(Opcode.RC_RDMA_READ_REQUEST, 11, 0, new Reth(0x1400, 7, 1476)));
        assertEquals(1, rest.again());
        PacketPlace middle = place(response(Opcode.RC_RDMA_READ_RESPONSE_MIDDLE, 11, 1024));
        assertEquals(2048, middle.messageBytes());
        assertEquals(
                2500, place(read(Opcode.RC_RDMA_READ_RESPONSE_LAST, 12, 452)).messageBytes());
        assertEquals(0, send(13).missing());
        assertEquals(
                1, place(read(Opcode.RC_RDMA_READ_RESPONSE_FIRST, 10, 1024)).again());
    }

    @Test
    void behindAReadItIsNotYetKnownHowManyPsnsItTakes() {
        place(request(Opcode.RC_RDMA_READ_REQUEST, 10, 0, new Reth(0x1000, 7, 2500)));
        assertEquals(0, send(13).missing());
        assertEquals(1, send(15).missing());
    }

    @Test
    void aSendIsAsLongAsItsPacketsOnceItsLastOneWasSeen() {
        assertEquals(
                PacketPlace.UNKNOWN,
                place(request(Opcode.RC_SEND_FIRST, 0, 256)).messageLength());
        assertEquals(512, place(request(Opcode.RC_SEND_MIDDLE, 1, 256)).messageBytes());
        assertEquals(600, place(request(Opcode.RC_SEND_LAST, 2, 88)).messageLength());
        PacketPlace again = place(request(Opcode.RC_SEND_MIDDLE, 1, 256));
        assertEquals(512, again.messageBytes());
        assertEquals(600, again.messageLength());
    }

    @Test
    void ofAMessageWhoseStartWasMissedNothingIsClaimed() {
        assertEquals(
                PacketPlace.UNKNOWN, place(request(Opcode.RC_SEND_LAST, 7, 88)).messageBytes());
        assertFalse(place(acknowledge(700, Syndrome.ACK_UNLIMITED, 1)).isKnown());
    }

    @Test
    void datagramsAreNeverResent() {
        RoceFrame datagram = request(Opcode.UD_SEND_ONLY, 5, 8, new Deth(1, 9));
        place(datagram);
        PacketPlace same = place(datagram);
        assertEquals(0, same.again());
        assertFalse(same.isLate());
    }

    private static RoceFrame read(int opcode, int psn, int payload) {
        return response(opcode, psn, payload, new Aeth(31, 1));
    }
}
