package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.rdma4j.conformance.Packets.ack;
import static org.rdma4j.conformance.Packets.nakSequence;
import static org.rdma4j.conformance.Packets.readResponseFirst;
import static org.rdma4j.conformance.Packets.readResponseLast;
import static org.rdma4j.conformance.Packets.sendFirst;
import static org.rdma4j.conformance.Packets.sendLast;
import static org.rdma4j.conformance.Packets.sendMiddle;
import static org.rdma4j.conformance.Packets.writeFirst;
import static org.rdma4j.conformance.Packets.writeLast;
import static org.rdma4j.conformance.Packets.writeMiddle;
import static org.rdma4j.conformance.Packets.writeOnly;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.AsyncEventType;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.Syndrome;

/** Group MEM: which bytes are touched, and which are not (9.7.4, 10.6). The guard zones are checked after each test. */
class MemoryEffectsTest extends RcScene {

    @BeforeEach
    void connect() {
        connect(new Setup());
    }

    @Test
    @DisplayName("MEM-01: a WRITE of one packet that runs over the region's end writes nothing")
    void onePacketOverTheEnd() {
        peer.sends(writeOnly(n).at(region, SIZE - 100, 101).payload(101));
        refused(Rule.REMOTE_ACCESS, n, Syndrome.NAK_REMOTE_ACCESS, AsyncEventType.QP_ACCESS_ERR);
        memory.isUntouched();
    }

    @Test
    @DisplayName(
            "MEM-02: a WRITE of several packets that would run over the end is refused at its first, writing nothing")
    void manyPacketsOverTheEnd() {
        peer.sends(writeFirst(n).at(region, SIZE - 512, 513).payload(256));
        refused(Rule.REMOTE_ACCESS, n, Syndrome.NAK_REMOTE_ACCESS, AsyncEventType.QP_ACCESS_ERR);
        memory.isUntouched();
    }

    @Test
    @DisplayName("MEM-03: a WRITE that comes again does not write again")
    void duplicateWrite() {
        WirePacket write = writeOnly(n).at(region, 0, 64).payload(64).ackReq();
        peer.sends(write);
        memory.put(0, HandPlayedLink.bytes(77, 64));
        peer.sends(write);
        peer.expects(ack(n).msn(1), ack(n).msn(1));
        memory.holds(0, HandPlayedLink.bytes(77, 64));
    }

    @Test
    @DisplayName("MEM-04: a WRITE whose last packet is lost on the way is there but for that one, until it comes again")
    void lastPacketLost() {
        WirePacket first = writeFirst(n).at(region, 0, 600).payload(256);
        WirePacket middle = writeMiddle(plus(n, 1)).payload(256);
        WirePacket last = writeLast(plus(n, 2)).payload(88).ackReq();
        peer.sends(first, middle); // the link dropped the last one for its ICRC
        memory.isUntouched(512, 88);
        peer.sends(writeOnly(plus(n, 3)).at(region, 2048, 8).payload(8).ackReq());
        peer.expects(nakSequence(plus(n, 2)).msn(0));
        memory.isUntouched(2048, 8);
        peer.sends(last);
        peer.expects(ack(plus(n, 2)).msn(1));
        memory.holds(0, first.bytes());
        memory.holds(256, middle.bytes());
        memory.holds(512, last.bytes());
    }

    @Test
    @DisplayName("MEM-05: a SEND is scattered over pieces of odd sizes at odd places, byte by byte")
    void oddPieces() {
        int[][] pieces = {{4095, 3}, {4098, 300}, {9001, 1}, {8191, 400}};
        ReceiveWorkRequest receive = new ReceiveWorkRequest().reset(1);
        for (int[] piece : pieces) {
            receive.sge(region, piece[0], piece[1]);
        }
        device.qp.postReceive(receive);
        byte[] message = new byte[703];
        WirePacket[] packets = {
            sendFirst(n).payload(256),
            sendMiddle(plus(n, 1)).payload(256),
            sendLast(plus(n, 2)).payload(191)
        };
        for (int i = 0; i < packets.length; i++) {
            System.arraycopy(packets[i].bytes(), 0, message, 256 * i, packets[i].bytes().length);
        }
        peer.sends(packets);
        assertEquals(703, device.completes(1).byteLength());
        int at = 0;
        for (int[] piece : pieces) {
            int length = Math.min(piece[1], message.length - at);
            memory.holds(piece[0], Arrays.copyOfRange(message, at, at + length));
            at += length;
        }
        memory.isUntouched(0, 4095);
        memory.isUntouched(4398, 3793);
        memory.isUntouched(8191 + 399, 411);
        memory.isUntouched(9002, 4000);
    }

    @Test
    @DisplayName("MEM-06: behind the bytes that the completion tells of, the receive's memory is as it was")
    void restOfTheReceive() {
        device.receives(1, 0, 1024);
        peer.sends(Packets.sendOnly(n).payload(13));
        assertEquals(13, device.completes(1).byteLength());
        memory.isUntouched(13, 1011);
    }

    @Test
    @DisplayName("MEM-07: a READ's data lands in its pieces and nowhere else")
    void readIntoPieces() {
        device.posts(Host.request(WrOpcode.RDMA_READ, 1)
                .sge(region, 101, 7)
                .sge(region, 4000, 260)
                .sge(region, 301, 33));
        WirePacket first = readResponseFirst(m).payload(256);
        WirePacket last = readResponseLast(plus(m, 1)).payload(44);
        peer.sends(first, last);
        device.completes(1);
        byte[] all = Arrays.copyOf(first.bytes(), 300);
        System.arraycopy(last.bytes(), 0, all, 256, 44);
        memory.holds(101, Arrays.copyOf(all, 7));
        memory.holds(4000, Arrays.copyOfRange(all, 7, 267));
        memory.holds(301, Arrays.copyOfRange(all, 267, 300));
        memory.isUntouched(0, 101);
        memory.isUntouched(108, 193);
        memory.isUntouched(334, 3666);
        memory.isUntouched(4260, 1000);
    }

    @Test
    @DisplayName("MEM-07: with memory on the heap it is the same")
    void readIntoTheHeap() {
        GuardedMemory heap =
                GuardedMemory.around(MemorySegment.ofArray(new byte[512 + GuardedMemory.ROOM]), (byte) 0x3C);
        MemoryRegion onHeap = device.register(heap.inside());
        device.posts(Host.request(WrOpcode.RDMA_READ, 1).sge(onHeap, 100, 300));
        WirePacket first = readResponseFirst(m).payload(256);
        peer.sends(first, readResponseLast(plus(m, 1)).payload(44));
        device.completes(1);
        heap.holds(100, first.bytes());
        heap.isUntouched(0, 100);
        heap.isUntouched(400, 112);
        peer.sends(writeOnly(n).at(onHeap, 0, 16).payload(16).ackReq());
        peer.expects(Packets.read(m), ack(n));
        heap.holds(0, writeOnly(n).payload(16).bytes());
        assertEquals(heap.inside().get(ValueLayout.JAVA_BYTE, 100), first.bytes()[0]);
        heap.guardsAreWhole();
    }
}
