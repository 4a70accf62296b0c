package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.Ieth;
import org.rdma4j.wire.ImmDt;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.Reth;

/** Group OPS, the requester's half: the packets that it makes of a message (9.4, 9.7.4). */
class RequestPacketsTest extends RcScene {

    private static final List<WrOpcode> DATA = List.of(
            WrOpcode.SEND,
            WrOpcode.SEND_WITH_IMM,
            WrOpcode.SEND_WITH_INV,
            WrOpcode.RDMA_WRITE,
            WrOpcode.RDMA_WRITE_WITH_IMM);

    static Stream<Arguments> messages() {
        List<Arguments> all = new ArrayList<>();
        for (WrOpcode opcode : DATA) {
            for (int mtu : new int[] {256, 512, 1024, 2048, 4096}) {
                for (int length : new int[] {0, 1, mtu - 1, mtu, mtu + 1, 2 * mtu, 2 * mtu + 3, 5 * mtu}) {
                    all.add(Arguments.of(opcode, mtu, length));
                }
            }
        }
        return all.stream();
    }

    @ParameterizedTest(name = "{0}, MTU {1}, {2} bytes")
    @MethodSource("messages")
    @DisplayName(
            "OPS-10: a message is ONLY, or FIRST, MIDDLEs and LAST; immediate, key and SE stand on its last packet alone")
    void packetsOfAMessage(WrOpcode opcode, int mtu, int length) {
        connect(new Setup().withPathMtu(mtu));
        memory.put(0, HandPlayedLink.bytes(4, length));
        device.posts(Host.request(opcode, 1)
                .sge(region, 0, length)
                .immediate(0x01020304)
                .solicited());
        boolean write = opcode == WrOpcode.RDMA_WRITE || opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
        List<Packet> packets = peer.getsAll();
        int count = Math.max(1, (length + mtu - 1) / mtu);
        assertEquals(count, packets.size());
        for (int i = 0; i < count; i++) {
            Packet packet = packets.get(i);
            boolean last = i == count - 1;
            int op = packet.bth().opcode();
            assertEquals(plus(m, i), packet.bth().psn());
            assertEquals(write, Opcode.isWrite(op));
            assertEquals(!write, Opcode.isSend(op));
            assertEquals(count == 1, Opcode.isOnly(op));
            assertEquals(i == 0, Opcode.isFirstOrOnly(op));
            assertEquals(last, Opcode.isLastOrOnly(op));
            int size = last ? length - i * mtu : mtu;
            assertEquals(size, packet.payload().byteSize());
            assertEquals(-size & 3, packet.bth().padCount());
            assertEquals(-1, packet.payload().mismatch(memory.inside().asSlice((long) i * mtu, size)));
            assertEquals(write && i == 0, packet.extension(Reth.class).isPresent());
            boolean immediate = last && (opcode == WrOpcode.SEND_WITH_IMM || opcode == WrOpcode.RDMA_WRITE_WITH_IMM);
            assertEquals(immediate, packet.extension(ImmDt.class).isPresent());
            assertEquals(
                    last && opcode == WrOpcode.SEND_WITH_INV,
                    packet.extension(Ieth.class).isPresent());
            assertEquals(last && opcode != WrOpcode.RDMA_WRITE, packet.bth().solicited());
            assertTrue(!last || packet.bth().ackReq(), "the last packet asks for the ACK");
        }
        if (write) {
            assertEquals(
                    new Reth(Peer.ADDRESS, Peer.R_KEY, length),
                    packets.getFirst().extension(Reth.class).orElseThrow());
        }
    }

    @Test
    @DisplayName("OPS-11: a SEND of no bytes is an ONLY without payload and pad")
    void emptySend() {
        connect(new Setup());
        device.posts(Host.request(WrOpcode.SEND, 1));
        peer.expects(Packets.sendOnly(m).pad(0).payload(0).ackReq());
        peer.expectsNothing();
    }
}
