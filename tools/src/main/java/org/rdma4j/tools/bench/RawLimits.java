package org.rdma4j.tools.bench;

import java.util.Arrays;

/** The raw limit's two loops, each in a half for the parent and a half for the peer process. */
final class RawLimits {

    /** Neither 4791 nor anything that a tool of ours listens on. */
    static final int PORT = 24791;

    private static final int LONGEST_TRAIN = 65507;

    /** Datagrams that one call can send: the kernel's UDP_MAX_SEGMENTS. */
    static final int MOST_PACKETS = 128;

    private static final byte STOP = 1;
    private static final int PING_BYTES = 40;

    private RawLimits() {}

    /** Sends trains of at most so many datagrams as fast as the socket takes them. */
    static void stream(int here, int there, int size, int most, long nanos) {
        try (RawSocket socket = new RawSocket(here, there, PORT)) {
            int packets = Math.min(most, LONGEST_TRAIN / size);
            socket.setFirstByte((byte) 0);
            for (long end = System.nanoTime() + nanos; System.nanoTime() < end; ) {
                socket.send(size, packets);
            }
            socket.setFirstByte(STOP);
            for (int times = 0; times < 1000; times++) {
                socket.send(size, 1);
                Thread.onSpinWait();
            }
        }
    }

    /** Counts what arrives until the stream ends. @return bytes a second, over the stream's second half */
    static double count(RawSocket socket, int size, long nanos) {
        long begin = 0;
        long half = 0;
        long last = 0;
        long bytes = 0;
        long giveUp = System.nanoTime() + nanos * 3;
        while (true) {
            int length = socket.receive();
            long now = System.nanoTime();
            if (length == 0) {
                if (now > giveUp) {
                    break;
                }
                continue;
            }
            if (length == size && socket.firstByte() == STOP) {
                break;
            }
            if (begin == 0) {
                begin = now;
            }
            if (now - begin < nanos / 2) {
                half = now;
            } else {
                bytes += length;
                last = now;
            }
        }
        return last == half ? 0 : bytes * 1e9 / (last - half);
    }

    /** Busy-polled ping-pong. @return the median half round trip in ns */
    static double ping(int here, int there, long nanos) {
        try (RawSocket socket = new RawSocket(here, there, PORT)) {
            long[] samples = new long[1 << 20];
            int count = 0;
            long begin = System.nanoTime();
            long now = begin;
            socket.setFirstByte((byte) 0);
            while (now - begin < nanos && count < samples.length) {
                socket.send(PING_BYTES, 1);
                long start = now;
                while (socket.receive() == 0) {
                    if (System.nanoTime() - start > 1_000_000_000L) {
                        throw new IllegalStateException("the raw ping-pong's peer does not answer");
                    }
                }
                now = System.nanoTime();
                if (now - begin > nanos / 2) {
                    samples[count++] = now - start;
                }
            }
            for (int times = 0; times < 100; times++) {
                socket.setFirstByte(STOP);
                socket.send(PING_BYTES, 1);
            }
            long[] taken = Arrays.copyOf(samples, count);
            Arrays.sort(taken);
            return taken[count / 2] / 2.0;
        }
    }

    /** The other half of {@link #ping}. */
    static void pong(RawSocket socket) {
        while (true) {
            if (socket.receive() > 0) {
                if (socket.firstByte() == STOP) {
                    return;
                }
                socket.send(PING_BYTES, 1);
            }
        }
    }
}
