package org.rdma4j.tools.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.pcap.CaptureException;
import org.rdma4j.pcap.CaptureReader;
import org.rdma4j.pcap.LinkType;
import org.rdma4j.pcap.PcapngWriter;
import org.rdma4j.vectors.HardwareVectors;

/** Who reads ahead gives what whoever reads when asked gives: all frames in their order, damage in its place, then the end. */
class ReadAheadTest {

    /** Many more than are under way at a time. */
    private static final int FRAMES = 10_000;

    private static final int PORT = LinkOptions.ROCE_V2_PORT;

    /** Good ones, damaged ones and others. */
    private static byte[] capture() throws IOException {
        byte[] good = HardwareVectors.named("fpga-write").bytes();
        byte[] wrong = good.clone();
        wrong[good.length - 5] ^= 1;
        byte[] other = new byte[60];
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (PcapngWriter writer = new PcapngWriter(file, "test")) {
            int port = writer.addInterface(LinkType.ETHERNET, "port");
            for (int frame = 0; frame < FRAMES; frame++) {
                byte[] bytes = frame % 3 == 0 ? good : frame % 3 == 1 ? wrong : other;
                writer.write(port, frame, MemorySegment.ofArray(bytes), 0, bytes.length);
            }
        }
        return file.toByteArray();
    }

    private static CaptureReader reader(InputStream stream) throws IOException {
        return CaptureReader.open("test", stream);
    }

    /** All that comes, in words. */
    private static List<String> words(CheckedFrames frames) {
        List<String> words = new ArrayList<>();
        while (true) {
            try {
                CheckedFrame frame = frames.next();
                if (frame == null) {
                    return words;
                }
                words.add(frame.captured().timestamp() + " " + frame.icrc());
            } catch (CaptureException e) {
                words.add(e.getMessage());
            }
        }
    }

    private static void isAsWhenAsked(byte[] capture, int least) throws IOException {
        List<String> expected;
        try (CaptureReader reader = reader(new ByteArrayInputStream(capture));
                CheckedFrames live = CheckedFrames.live(reader, PORT)) {
            expected = words(live);
        }
        assertTrue(expected.size() >= least, expected.size() + " frames");
        try (CaptureReader reader = reader(new ByteArrayInputStream(capture));
                CheckedFrames ahead = CheckedFrames.ahead(reader, PORT)) {
            assertEquals(expected, words(ahead));
            assertNull(ahead.next(), "behind the last");
        }
    }

    @Test
    void allFramesComeInTheirOrder() throws IOException {
        isAsWhenAsked(capture(), FRAMES);
    }

    /** Of a block that lies about its frame's length the reader goes on behind; where the file breaks off it ends. */
    @Test
    void damageComesInItsPlace() throws IOException {
        byte[] capture = capture();
        int block = block(capture, FRAMES / 2);
        ByteBuffer.wrap(capture).order(ByteOrder.nativeOrder()).putInt(block + 20, 1 << 20);
        isAsWhenAsked(capture, FRAMES);
        isAsWhenAsked(Arrays.copyOf(capture, block(capture, FRAMES - 700) + 9), FRAMES - 700);
    }

    /** Where the block of a frame starts. */
    private static int block(byte[] capture, int frame) {
        ByteBuffer bytes = ByteBuffer.wrap(capture).order(ByteOrder.nativeOrder());
        int at = 0;
        for (int blocks = frame + 2; blocks > 0; blocks--) { // section and interface come first
            at += bytes.getInt(at + 4);
        }
        return at;
    }

    /** The asker comes when all batches wait, and has still to get all. */
    @Test
    void whoeverAsksLateMissesNothing() throws IOException, InterruptedException {
        byte[] capture = capture();
        CountDownLatch isFarAhead = new CountDownLatch(1);
        InputStream watched = new FilterInputStream(new ByteArrayInputStream(capture)) {
            private int given;

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                int got = super.read(into, offset, Math.min(length, 1000));
                given += got;
                // As much as may be under way: a reader that does not stop comes to the file's end at once.
                if (given > 2048 * 100) {
                    isFarAhead.countDown();
                }
                return got;
            }
        };
        try (CaptureReader reader = reader(watched);
                CheckedFrames ahead = CheckedFrames.ahead(reader, PORT)) {
            isFarAhead.await();
            assertNotNull(ahead.next());
            assertEquals(FRAMES - 1, words(ahead).size());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5000})
    void closingEndsTheReader(int taken) throws IOException, InterruptedException {
        AtomicReference<Thread> readsIt = new AtomicReference<>();
        InputStream watched = new FilterInputStream(new ByteArrayInputStream(capture())) {
            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                readsIt.set(Thread.currentThread());
                return super.read(into, offset, Math.min(length, 1000));
            }
        };
        try (CaptureReader reader = reader(watched)) {
            try (CheckedFrames ahead = CheckedFrames.ahead(reader, PORT)) {
                for (int frame = 0; frame < taken; frame++) {
                    assertNotNull(ahead.next());
                }
            }
            assertNotSame(Thread.currentThread(), readsIt.get());
            assertTrue(readsIt.get().join(Duration.ofSeconds(10)), "the reader goes on");
        }
    }

    @Test
    void whatTheFileSystemSaysComesBehindTheFramesBefore() throws IOException {
        byte[] capture = capture();
        int good = block(capture, 1000);
        InputStream broken = new FilterInputStream(new ByteArrayInputStream(capture, 0, good)) {
            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                int got = super.read(into, offset, length);
                if (got < 0) {
                    throw new IOException("the disk is gone");
                }
                return got;
            }
        };
        try (CaptureReader reader = reader(broken);
                CheckedFrames ahead = CheckedFrames.ahead(reader, PORT)) {
            for (int frame = 0; frame < 1000; frame++) {
                assertNotNull(ahead.next());
            }
            UncheckedIOException said = assertThrows(UncheckedIOException.class, ahead::next);
            assertEquals("the disk is gone", said.getCause().getMessage());
            assertNull(ahead.next());
        }
    }
}
