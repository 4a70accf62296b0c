package org.rdma4j.tools.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;

/** The raw limit over TCP: a plain pair of NIO sockets that moves the same bytes, each loop in a half for each process. */
final class RawTcp implements AutoCloseable {

    static final int PORT = 24794;

    /** What a stream is written and read by at once. */
    private static final int CHUNK = 1 << 20;

    /** A Write of 8 bytes with all that is around it. */
    private static final int PING_BYTES = 28;

    private static final byte STOP = 1;

    private final SocketChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK);

    private RawTcp(SocketChannel channel, boolean blocking) throws IOException {
        this.channel = channel;
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(blocking);
    }

    static RawTcp connect(String address, boolean blocking) {
        try {
            return new RawTcp(SocketChannel.open(new InetSocketAddress(address, PORT)), blocking);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param ready called once it can be connected to */
    static RawTcp accept(String address, boolean blocking, Runnable ready) {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            server.bind(new InetSocketAddress(address, PORT));
            ready.run();
            return new RawTcp(server.accept(), blocking);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes as fast as the socket takes it. */
    void stream(long nanos) {
        try {
            for (long end = System.nanoTime() + nanos; System.nanoTime() < end; ) {
                buffer.clear();
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads until the stream ends. @return bytes a second, over the stream's second half */
    double count(long nanos) {
        try {
            long begin = System.nanoTime();
            long half = 0;
            long last = begin;
            long bytes = 0;
            while (true) {
                int length = channel.read(buffer.clear());
                if (length < 0) {
                    return half == 0 ? 0 : bytes * 1e9 / (last - half);
                }
                last = System.nanoTime();
                if (half != 0) {
                    bytes += length;
                } else if (last - begin > nanos / 2) {
                    half = last;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Busy-polled ping-pong. @return the median half round trip in ns */
    double ping(long nanos) {
        long[] samples = new long[1 << 20];
        int count = 0;
        long begin = System.nanoTime();
        long now = begin;
        while (now - begin < nanos && count < samples.length) {
            long start = now;
            write((byte) 0);
            read();
            now = System.nanoTime();
            if (now - begin > nanos / 2) {
                samples[count++] = now - start;
            }
        }
        write(STOP);
        long[] taken = Arrays.copyOf(samples, count);
        Arrays.sort(taken);
        return taken[count / 2] / 2.0;
    }

    /** The other half of {@link #ping}. */
    void pong() {
        while (read() != STOP) {
            write((byte) 0);
        }
    }

    private void write(byte first) {
        try {
            buffer.clear().limit(PING_BYTES).put(0, first);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private byte read() {
        try {
            buffer.clear().limit(PING_BYTES);
            while (buffer.hasRemaining()) {
                if (channel.read(buffer) < 0) {
                    return STOP;
                }
            }
            return buffer.get(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
