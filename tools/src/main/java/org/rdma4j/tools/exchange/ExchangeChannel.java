package org.rdma4j.tools.exchange;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;
import org.rdma4j.wire.IpText;

/**
 * The TCP connection of the two ends. Reads are of exact length; a device that its caller must drive is driven while
 * they wait.
 */
public final class ExchangeChannel implements Conversation {

    /** How long the peer may take to say what it has to say at once. */
    public static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);

    /** No limit: the peer answers when its test is over. */
    public static final Duration NO_LIMIT = Duration.ofDays(365);

    /** So many bytes can be read at a time. */
    public static final int LONGEST_RECORD = 4096;

    private static final int CONNECT_LIMIT_MILLIS = 10_000;

    /** Most rounds of work between two looks at the socket. */
    private static final int ROUNDS = 64;

    private final SocketChannel socket;
    private final Selector selector;
    private final InetSocketAddress peer;
    private final ByteBuffer received = ByteBuffer.allocate(LONGEST_RECORD).flip();
    private BooleanSupplier drive;
    private boolean ended;

    ExchangeChannel(SocketChannel socket) throws IOException {
        this.socket = socket;
        this.peer = (InetSocketAddress) socket.getRemoteAddress();
        this.selector = Selector.open();
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        socket.configureBlocking(false);
        socket.register(selector, SelectionKey.OP_READ);
    }

    /**
     * Connects to a server.
     *
     * @throws ToolException where the host does not exist, does not answer, or nobody listens
     */
    public static ExchangeChannel connect(String host, int port) {
        InetSocketAddress server = new InetSocketAddress(host, port);
        if (server.isUnresolved()) {
            throw new ToolException(ExitStatus.FAILED, "no host is called " + host);
        }
        try {
            SocketChannel socket = SocketChannel.open();
            try {
                socket.socket().connect(server, CONNECT_LIMIT_MILLIS);
                return new ExchangeChannel(socket);
            } catch (IOException e) {
                socket.close();
                throw new ToolException(ExitStatus.FAILED, connectFailure(host, port, e), e);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String connectFailure(String host, int port, IOException e) {
        return switch (e) {
            case SocketTimeoutException _ ->
                "host " + host + " does not answer on TCP port " + port + " within " + CONNECT_LIMIT_MILLIS / 1000
                        + " s";
            case ConnectException _ ->
                "cannot connect to " + host + " port " + port + ": " + e.getMessage()
                        + (String.valueOf(e.getMessage()).contains("refused") ? " (is its server running?)" : "");
            default -> "host " + host + " cannot be reached on TCP port " + port + ": " + e.getMessage();
        };
    }

    public InetAddress peerAddress() {
        return peer.getAddress();
    }

    /** From now on {@code work} is done while a read waits; it says whether there was anything to do, or pauses. */
    @Override
    public void driveWhileWaiting(BooleanSupplier work) {
        drive = work;
    }

    @Override
    public void write(byte[] bytes) {
        ByteBuffer left = ByteBuffer.wrap(bytes);
        try {
            while (left.hasRemaining()) {
                if (socket.write(left) == 0) {
                    Thread.onSpinWait();
                }
            }
        } catch (IOException e) {
            throw new ToolException(ExitStatus.FAILED, "the peer " + name() + " hung up: " + e.getMessage(), e);
        }
    }

    /**
     * Reads so many bytes.
     *
     * @param what the thing that is awaited, for the message if it does not come
     * @throws ToolException where the peer hangs up, or the time is over
     */
    @Override
    public byte[] read(int length, String what, Duration limit) {
        long start = System.nanoTime();
        while (received.remaining() < length) {
            if (ended) {
                throw new ToolException(
                        ExitStatus.FAILED,
                        "the peer " + name() + " hung up before it had sent " + what + " (" + received.remaining()
                                + " of " + length + " bytes came)");
            }
            if (System.nanoTime() - start > limit.toNanos()) {
                throw new ToolException(
                        ExitStatus.FAILED,
                        "the peer " + name() + " said nothing for " + limit.toSeconds() + " s when it should have sent "
                                + what);
            }
            await();
        }
        byte[] bytes = new byte[length];
        received.get(bytes);
        return bytes;
    }

    private void await() {
        try {
            if (drive == null) {
                selector.select(100);
                selector.selectedKeys().clear();
            } else {
                int rounds = 0;
                while (rounds < ROUNDS && drive.getAsBoolean()) {
                    rounds++;
                }
            }
            fill();
        } catch (IOException _) {
            ended = true; // reset: the peer went without reading what it had been sent
        }
    }

    private void fill() throws IOException {
        received.compact();
        try {
            if (received.hasRemaining() && socket.read(received) < 0) {
                ended = true;
            }
        } finally {
            received.flip();
        }
    }

    /** True where the peer has said something that was not read yet. Does not wait. */
    @Override
    public boolean hasInput() {
        if (!received.hasRemaining()) {
            look();
        }
        return received.hasRemaining();
    }

    /** True where the peer has hung up and nothing that it said is left to read. Does not wait. */
    @Override
    public boolean isOver() {
        look();
        return ended && !received.hasRemaining();
    }

    private void look() {
        try {
            if (!ended) {
                fill();
            }
        } catch (IOException _) {
            ended = true;
        }
    }

    /** The peer's address, for messages. */
    @Override
    public String name() {
        return IpText.of(peer.getAddress());
    }

    @Override
    public void close() {
        try {
            selector.close();
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
