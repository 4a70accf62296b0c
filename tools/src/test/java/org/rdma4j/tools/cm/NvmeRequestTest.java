package org.rdma4j.tools.cm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.rdma4j.wire.PrivateData;

/** The private data of NVMe hosts and targets: little-endian, and of lengths that may lie. */
class NvmeRequestTest {

    private static PrivateData data(String hex) {
        return PrivateData.of(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    @Test
    void readsTheRequestForAnAdminQueue() {
        NvmeRequest request = NvmeRequest.parse(data("0000 0000 2000 1f00 0000" + "00".repeat(22)));
        assertEquals(new NvmeRequest(0, 0, 32, 31, 0), request);
        assertEquals(
                "NVMe host: record format 0, queue 0 (admin), receive queue 32, send queue 31, controller 0",
                request.toString());
    }

    @Test
    void numbersHaveAllTheirBits() {
        assertEquals(
                new NvmeRequest(0x8001, 0xFFFE, 0x1234, 0xABCD, 0xFFFF),
                NvmeRequest.parse(data("0180 feff 3412 cdab ffff" + "55".repeat(40))));
    }

    @Test
    void whatIsCutOffIsZero() {
        assertEquals(new NvmeRequest(1, 0xFF, 0, 0, 0), NvmeRequest.parse(data("0100 ff")));
        assertEquals(new NvmeRequest(0, 0, 0, 0, 0), NvmeRequest.parse(PrivateData.EMPTY));
    }

    @Test
    void rejectionIsARecordFormatAndAStatus() {
        assertArrayEquals(
                new byte[] {0, 0, 6, 0},
                NvmeRequest.rejection(NvmeRequest.NO_RESOURCES).toBytes());
    }
}
