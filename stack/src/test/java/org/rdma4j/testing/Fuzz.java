package org.rdma4j.testing;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Feeds a parser with inputs that nobody would send: damaged copies of real ones, and noise. Each input fills an array of
 * exactly its size, so that reading past its end throws. The run is the same every time; {@code -Dseed=} gives another,
 * and a failure prints the seed and the input.
 */
public final class Fuzz {

    /** Numbers that lengths and counters break on. */
    private static final int[] EDGES = {
        0,
        1,
        2,
        3,
        4,
        7,
        8,
        11,
        12,
        15,
        16,
        19,
        20,
        27,
        28,
        31,
        32,
        39,
        40,
        63,
        64,
        127,
        128,
        255,
        256,
        0x7FFF,
        0x8000,
        0xFFFF,
        0x10000,
        0x7FFF_FFFF,
        0x8000_0000,
        -1
    };

    private static final long DEFAULT_SEED = 4791;

    private final List<byte[]> corpus;
    private final int longest;

    /**
     * @param corpus real inputs
     * @param longest bytes of the longest input that is made
     */
    public Fuzz(List<byte[]> corpus, int longest) {
        this.corpus = List.copyOf(corpus);
        this.longest = longest;
    }

    /** Runs the parser over so many inputs. */
    public void run(int inputs, Consumer<byte[]> parser) {
        long seed = Long.getLong("seed", DEFAULT_SEED);
        SplittableRandom random = new SplittableRandom(seed);
        for (int index = 0; index < inputs; index++) {
            byte[] input = random.nextInt(8) == 0 ? noise(random) : mutant(random);
            byte[] given = input.clone();
            try {
                parser.accept(given);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(
                        "input " + index + " of -Dseed=" + seed + ": "
                                + HexFormat.of().formatHex(input),
                        e);
            }
        }
    }

    private byte[] noise(SplittableRandom random) {
        byte[] bytes = new byte[random.nextInt(Math.min(longest, 128) + 1)];
        random.nextBytes(bytes);
        return bytes;
    }

    private byte[] mutant(SplittableRandom random) {
        byte[] parent = corpus.get(random.nextInt(corpus.size()));
        byte[] bytes = Arrays.copyOf(parent, Math.min(parent.length, longest));
        for (int rounds = random.nextInt(4); rounds >= 0; rounds--) {
            bytes = mutate(bytes, random);
        }
        return bytes;
    }

    private byte[] mutate(byte[] bytes, SplittableRandom random) {
        if (bytes.length < 4) {
            return noise(random);
        }
        int at = random.nextInt(bytes.length);
        switch (random.nextInt(6)) {
            case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> bytes[at] = (byte) random.nextInt();
            case 2 -> putEdge(bytes, at, 1 << random.nextInt(3), random);
            case 3 -> {
                return Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
            }
            case 4 -> {
                return Arrays.copyOf(bytes, Math.min(longest, bytes.length + random.nextInt(32)));
            }
            default -> {
                byte[] other = corpus.get(random.nextInt(corpus.size()));
                int length = Math.min(bytes.length - at, Math.min(other.length, random.nextInt(64)));
                System.arraycopy(other, random.nextInt(other.length - length + 1), bytes, at, length);
            }
        }
        return bytes;
    }

    /** Writes a number of one, two or four bytes, in either byte order. */
    private static void putEdge(byte[] bytes, int start, int width, SplittableRandom random) {
        int at = Math.min(start, bytes.length - width);
        int value = EDGES[random.nextInt(EDGES.length)];
        boolean bigEndian = random.nextBoolean();
        for (int index = 0; index < width; index++) {
            int shift = 8 * (bigEndian ? width - 1 - index : index);
            bytes[at + index] = (byte) (value >> shift);
        }
    }
}
