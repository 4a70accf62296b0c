package org.rdma4j.tools.decode;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.rdma4j.pcap.CaptureReader;
import org.rdma4j.pcap.CapturedPacket;
import org.rdma4j.tools.JsonReader;
import org.rdma4j.trace.Ladder;
import org.rdma4j.vectors.Captures;

/** Frames that nobody would send are decoded too, in every form. */
class DecodeFuzzTest {

    private static final int FRAMES = 100_000;
    private static final long SEED = Long.getLong("seed", 20_261_130);

    @Test
    void everyFormTakesAnyFrame() throws IOException {
        List<CapturedPacket> frames = new ArrayList<>();
        for (String name : List.of("rxe-6.1-tools.pcap", "rxe-loss8-read.pcap", "rxe-ipv6-rping.pcap")) {
            try (CaptureReader reader = CaptureReader.open(name, new ByteArrayInputStream(Captures.read(name)))) {
                reader.forEachRemaining(frames::add);
            }
        }
        Random random = new Random(SEED);
        Summary summary = new Summary();
        Decoder decoder = new Decoder(4791, summary);
        PacketLine lines = new PacketLine();
        Ladder ladder = new Ladder(line -> {});
        for (int count = 0; count < FRAMES; count++) {
            CapturedPacket frame = mutated(frames.get(random.nextInt(frames.size())), random);
            try {
                DecodedFrame decoded = decoder.next(frame);
                if (decoded != null) {
                    lines.of(decoded);
                    Headers.of(decoded)
                            .forEach(header -> assertFalse(header.toString().isEmpty()));
                    JsonReader.read(new JsonLine().of("\"\\\n", decoded).toString());
                    if (decoded.frame() != null) {
                        ladder.packet(frame.timestamp(), decoded.frame(), null);
                    }
                }
            } catch (RuntimeException e) {
                throw new AssertionError("-Dseed=" + SEED + ", frame " + count, e);
            }
        }
        assertTrue(summary.wrongIcrcs() > FRAMES / 10, summary::line);
        assertTrue(summary.malformed() > 100, summary::line);
        assertTrue(summary.again() > 100, summary::line);
    }

    /** Flips, cuts, or keeps less than there was. */
    private static CapturedPacket mutated(CapturedPacket frame, Random random) {
        byte[] bytes = frame.bytes().toArray(ValueLayout.JAVA_BYTE);
        for (int flips = random.nextInt(4); flips > 0; flips--) {
            bytes[random.nextInt(Math.min(bytes.length, 90))] ^= (byte) (1 << random.nextInt(8));
        }
        long original = bytes.length;
        if (random.nextInt(4) == 0) {
            bytes = java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
            original = random.nextBoolean() ? bytes.length : original;
        }
        // Among others' bytes, as in a file.
        int offset = random.nextInt(64);
        byte[] array = new byte[offset + bytes.length + random.nextInt(64)];
        random.nextBytes(array);
        System.arraycopy(bytes, 0, array, offset, bytes.length);
        return new CapturedPacket(
                random.nextLong(),
                0,
                frame.linkType(),
                original,
                array,
                offset,
                bytes.length,
                List.of("a \"comment\""));
    }
}
