package org.rdma4j.tools.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.pcap.CaptureReader;
import org.rdma4j.pcap.CapturedPacket;
import org.rdma4j.vectors.Captures;

class PacketLineTest {

    /** What is remembered of the lines before never gets into another packet's line. */
    @Test
    void aLineDoesNotDependOnThoseBefore() throws IOException {
        PacketLine lines = new PacketLine();
        int written = 0;
        for (Captures.Capture capture : Captures.all()) {
            Decoder decoder = new Decoder(LinkOptions.ROCE_V2_PORT, new Summary());
            try (CaptureReader reader = CaptureReader.open(capture.name(), new ByteArrayInputStream(capture.bytes()))) {
                for (CapturedPacket packet = reader.read(); packet != null; packet = reader.read()) {
                    DecodedFrame decoded = decoder.next(packet);
                    if (decoded != null) {
                        assertEquals(
                                new PacketLine().of(decoded).toString(),
                                lines.of(decoded).toString());
                        written++;
                    }
                }
            }
        }
        assertTrue(written > 5000, written + " lines");
    }
}
