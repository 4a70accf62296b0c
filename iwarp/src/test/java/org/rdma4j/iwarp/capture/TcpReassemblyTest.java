package org.rdma4j.iwarp.capture;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class TcpReassemblyTest {

    private ByteArrayOutputStream stream = new ByteArrayOutputStream();
    private TcpReassembly tcp = new TcpReassembly();

    private void segment(int sequence, byte[] bytes) {
        tcp.segment(sequence, false, MemorySegment.ofArray(bytes), bytes.length, this::take);
    }

    private void syn(int sequence) {
        tcp.segment(sequence, true, MemorySegment.ofArray(new byte[0]), 0, this::take);
    }

    private void take(MemorySegment segment, long offset, long length) {
        stream.writeBytes(segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE));
    }

    /** Cut at random, parts of it sent twice, all of it shuffled within a window, over the end of the numbers. */
    @Property
    void givesTheStreamWhateverBecameOfItsSegments(
            @ForAll long seed, @ForAll int initial, @ForAll @IntRange(min = 1, max = 30) int window) {
        Random random = new Random(seed);
        byte[] bytes = new byte[1 + random.nextInt(4000)];
        random.nextBytes(bytes);
        int sequence = random.nextBoolean() ? -random.nextInt(5000) : initial;
        List<int[]> cuts = new ArrayList<>();
        for (int at = 0; at < bytes.length; ) {
            int end = Math.min(bytes.length, at + 1 + random.nextInt(300));
            cuts.add(new int[] {at, end});
            if (random.nextInt(4) == 0) {
                int again = Math.max(0, at - random.nextInt(200));
                cuts.add(new int[] {again, Math.min(bytes.length, again + 1 + random.nextInt(400))});
            }
            at = end;
        }
        for (int from = 0; from < cuts.size(); from += window) {
            Collections.shuffle(cuts.subList(from, Math.min(cuts.size(), from + window)), random);
        }
        stream = new ByteArrayOutputStream();
        tcp = new TcpReassembly();
        syn(sequence - 1);
        for (int[] cut : cuts) {
            segment(sequence + cut[0], Arrays.copyOfRange(bytes, cut[0], cut[1]));
        }
        assertArrayEquals(bytes, stream.toByteArray());
        assertEquals(0, tcp.waitingBytes());
        assertNull(tcp.loss());
    }

    @Test
    void aSynOnceMoreChangesNothing() {
        syn(99);
        segment(100, new byte[] {1, 2});
        syn(99);
        segment(102, new byte[] {3});
        assertArrayEquals(new byte[] {1, 2, 3}, stream.toByteArray());
    }

    @Test
    void aSynBehindTheFirstBytesIsTheirs() {
        segment(100, new byte[] {1, 2});
        syn(99);
        segment(102, new byte[] {3});
        assertArrayEquals(new byte[] {1, 2, 3}, stream.toByteArray());
    }

    @Test
    void aProbeOfAnIdleConnectionIsNoByte() {
        syn(99);
        segment(100, new byte[] {1, 2});
        segment(101, new byte[] {0}); // keepalive: the last byte again
        segment(102, new byte[] {3});
        assertArrayEquals(new byte[] {1, 2, 3}, stream.toByteArray());
    }

    @Test
    void aHoleThatNothingFillsIsGivenUp() {
        syn(99);
        for (int i = 1; tcp.loss() == null && i < 10_000; i++) {
            segment(100 + i * 1000, new byte[1000]);
        }
        assertNotNull(tcp.loss());
        assertEquals("1000 bytes are missing from the capture", tcp.loss());
        assertEquals(0, stream.size());
    }
}
