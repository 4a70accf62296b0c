package org.rdma4j.pcap;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.rdma4j.testing.Fuzz;
import org.rdma4j.vectors.Captures;

/** Whatever a file holds: packets, then at most one complaint, and never another exception. */
class CaptureFuzzTest {

    private static final int FILES = 400_000;
    private static final int LONGEST = 400;

    @Test
    void readersTakeAnyBytes() throws IOException {
        int[] outcomes = new int[3];
        new Fuzz(files(), LONGEST).run(FILES, input -> {
            PcapBytes.Outcome outcome = PcapBytes.read(input);
            long bytes = outcome.packets().stream()
                    .mapToLong(packet -> packet.bytes().byteSize())
                    .sum();
            assertTrue(bytes <= 1 << 20, "more came out than was in it");
            if (outcome.complaint() != null) {
                assertNotNull(outcome.complaint().getMessage());
                assertTrue(outcome.complaint().offset() >= 0);
            }
            outcomes[outcome.complaint() == null ? 0 : outcome.packets().isEmpty() ? 1 : 2]++;
        });
        assertTrue(Arrays.stream(outcomes).allMatch(count -> count > FILES / 100), Arrays.toString(outcomes));
    }

    private static List<byte[]> files() throws IOException {
        byte[] frame = {1, 2, 3, 4, 5, 6, 7};
        List<byte[]> files = new ArrayList<>();
        for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
            files.add(PcapBytes.pcap(PcapSource.MAGIC_MICROS, order, 1, frame, frame, frame));
            files.add(PcapBytes.pcap(PcapSource.MAGIC_NANOS, order, 101, frame, frame));
            files.add(PcapBytes.concat(
                    PcapBytes.sectionHeader(order),
                    PcapBytes.interfaceDescription(order, 1, 0, new byte[] {0, 9, 0, 1, 9, 0, 0, 0}),
                    PcapBytes.enhancedPacket(order, 0, 1, frame),
                    PcapBytes.simplePacket(order, 7, frame)));
        }
        files.add(Arrays.copyOf(Captures.read("rxe-cm-reject.pcap"), LONGEST));
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        try (PcapngWriter writer = new PcapngWriter(written, "rdma4j")) {
            writer.addInterface(LinkType.ETHERNET, "eth0");
            writer.write(0, 1, PcapngWriter.INBOUND, MemorySegment.ofArray(frame), 0, 7, 7, List.of("one", "two"));
            writer.write(0, 2, MemorySegment.ofArray(frame), 0, 7);
        }
        files.add(written.toByteArray());
        files.add(PcapBytes.gzip(files.getFirst()));
        return files;
    }
}
