package org.rdma4j.iwarp.rdmap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rdma4j.iwarp.craft.Ulpdu;
import org.rdma4j.iwarp.wire.AtomicRequest;
import org.rdma4j.iwarp.wire.AtomicResponse;
import org.rdma4j.iwarp.wire.ImmediateData;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.iwarp.wire.TerminateCode;
import org.rdma4j.iwarp.wire.UntaggedHeader;
import org.rdma4j.verbs.WcOpcode;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;

/** RFC 7306 between two sides that are known to have it: atomics and immediate data. */
class ExtensionsTest extends RdmapScene {

    @Override
    boolean extended() {
        return true;
    }

    private long counter() {
        return region.memory().get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
    }

    private void counter(long value) {
        region.memory().set(ValueLayout.JAVA_LONG_UNALIGNED, 0, value);
    }

    private Ulpdu atomic(int operation, long data, long mask, long compare, long compareMask) {
        return Ulpdu.atomic(
                new AtomicRequest(operation, 0xCAFE, region.rKey(), region.address(), data, mask, compare, compareMask),
                1);
    }

    @ParameterizedTest
    @CsvSource({
        "5, 7, 0, 12",
        // Two fields of 32 bits: the carry out of the low one is lost.
        "0x00000001FFFFFFFF, 0x0000000100000001, 0x8000000080000000, 0x0000000200000000"
    })
    @DisplayName("RDP-16: fetch-add adds field by field and answers with what was there")
    void fetchAdd(String before, String summand, String mask, String after) {
        counter(Long.decode(before));
        peerConnects();
        sends(atomic(
                AtomicRequest.FETCH_ADD,
                Long.decode(summand),
                Long.parseUnsignedLong(mask.replace("0x", ""), 16),
                0,
                0));
        answered(Long.decode(before));
        assertEquals(Long.decode(after), counter());
    }

    private void answered(long original) {
        MemorySegment response = MemorySegment.ofArray(peer.next());
        assertEquals(UntaggedHeader.ATOMIC_RESPONSE_QUEUE, UntaggedHeader.queueNumber(response, 0));
        assertEquals(1, UntaggedHeader.messageSequenceNumber(response, 0));
        assertEquals(new AtomicResponse(0xCAFE, original), AtomicResponse.parse(response, UntaggedHeader.LENGTH));
    }

    @ParameterizedTest
    @CsvSource({"10, -1, 77", "11, -1, 10", "0xF10, 0xFF, 77"})
    @DisplayName("RDP-16: compare-swap compares and swaps under its masks")
    void compareSwap(String compare, String compareMask, long after) {
        counter(compare.startsWith("0x") ? 0x10 : 10);
        long before = counter();
        peerConnects();
        sends(atomic(AtomicRequest.COMPARE_SWAP, 77, -1, Long.decode(compare), Long.decode(compareMask)));
        answered(before);
        assertEquals(after, counter());
    }

    @Test
    @DisplayName("RDP-16: an atomic at an address that is no multiple of 8 ends the stream")
    void alignment() {
        peerConnects();
        refuses(
                TerminateCode.RDMAP_OPERATION_UNSPECIFIED,
                Ulpdu.atomic(new AtomicRequest(0, 1, region.rKey(), region.address() + 4, 1, 0, 0, 0), 1));
        assertUntouched();
    }

    @Test
    @DisplayName("RDP-16: an atomic of this side completes with the value that the response brings")
    void asks() {
        deviceConnects();
        device.qp.postSend(request(WrOpcode.ATOMIC_FETCH_AND_ADD, 1)
                .sge(region, 0, 8)
                .remote(0x7000, 0x1234)
                .fetchAdd(3));
        settle();
        MemorySegment ulpdu = MemorySegment.ofArray(peer.next());
        AtomicRequest request = AtomicRequest.parse(ulpdu, UntaggedHeader.LENGTH);
        assertEquals(AtomicRequest.FETCH_ADD, request.operation());
        assertEquals(3, request.data());
        byte[] response = new byte[AtomicResponse.LENGTH];
        AtomicResponse.write(MemorySegment.ofArray(response), 0, request.identifier(), 99);
        sends(Ulpdu.untagged(RdmapOpcode.ATOMIC_RESPONSE, true, UntaggedHeader.ATOMIC_RESPONSE_QUEUE, 1, 0, response));
        completes(1, WcStatus.SUCCESS);
        assertEquals(99, counter());
    }

    @ParameterizedTest
    @CsvSource({"8, false", "9, true"})
    @DisplayName("RDP-16: immediate data behind a Write take a receive and tell the Write's length")
    void immediate(int opcode, boolean solicits) {
        receives(1, 0, 0);
        peerConnects();
        byte[] data = new byte[ImmediateData.LENGTH];
        ImmediateData.setData(MemorySegment.ofArray(data), 0, 0x1234_5678L << 32);
        sends(
                Ulpdu.tagged(RdmapOpcode.WRITE, false, region.rKey(), region.address(), bytes(100, 1)),
                Ulpdu.tagged(RdmapOpcode.WRITE, true, region.rKey(), region.address() + 100, bytes(20, 2)),
                Ulpdu.untagged(opcode, true, UntaggedHeader.SEND_QUEUE, 1, 0, data));
        WorkCompletion completion = completes(1, WcStatus.SUCCESS);
        assertEquals(WcOpcode.RECV_RDMA_WITH_IMM, completion.opcode());
        assertEquals(0x1234_5678, completion.immediate());
        assertEquals(120, completion.byteLength());
        assertArrayEquals(bytes(100, 1), memory(0, 100));
        assertTrue(solicits || opcode == RdmapOpcode.IMMEDIATE);
    }

    @Test
    @DisplayName("RDP-16: a Write with immediate data is a Write and a message behind it")
    void writesWithImmediate() {
        deviceConnects();
        device.qp.postSend(request(WrOpcode.RDMA_WRITE_WITH_IMM, 1)
                .sge(region, 0, 10)
                .remote(0x7000, 0x1234)
                .immediate(0xABCD));
        settle();
        assertEquals(RdmapOpcode.WRITE, peer.next()[1] & 0xF);
        MemorySegment ulpdu = MemorySegment.ofArray(peer.next());
        assertEquals(RdmapOpcode.IMMEDIATE, UntaggedHeader.control(ulpdu, 0) & 0xF);
        assertEquals(1, UntaggedHeader.messageSequenceNumber(ulpdu, 0));
        assertEquals(0xABCDL << 32, ImmediateData.data(ulpdu, UntaggedHeader.LENGTH));
        completes(1, WcStatus.SUCCESS);
    }
}
