package org.rdma4j.iwarp.tcp;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.rdma4j.iwarp.stream.StreamException;
import org.rdma4j.iwarp.stream.StreamHandler;
import org.rdma4j.iwarp.stream.StreamListener;
import org.rdma4j.iwarp.stream.StreamNetwork;
import org.rdma4j.iwarp.stream.StreamSocket;
import org.rdma4j.iwarp.tap.ConnectionTap;
import org.rdma4j.link.FrameTap;
import org.rdma4j.link.GidType;
import org.rdma4j.link.LinkCounters;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Gid;

/**
 * TCP of one address of this host. All connections are looked after by one selector; those few that have just been busy
 * are read without asking it, for that saves a system call where every one counts.
 */
public final class TcpNetwork implements StreamNetwork {

    /** What is read at once; room for what is left of a FPDU in front of it, and then much more. */
    private static final int BUFFER = 512 << 10;

    /** What one connection may give before it is another's turn. */
    private static final int READ_BUDGET = 512 << 10;

    /** Connections that are read without asking the selector. */
    private static final int MOST_HOT = 4;

    /** So long after its last find a connection is read without asking. */
    private static final long HOT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The selector is asked at least once in so many looks. */
    private static final int ROUNDS = 16;

    private static final long NAP_NANOS = 50_000;
    private static final long SELECTABLE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final String name;
    private final InetAddress address;
    private final LocalInterface local;
    private final int receiveBuffer;
    private final KeepAlive keepAlive;
    private final Selector selector;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    private final MemorySegment segment = MemorySegment.ofBuffer(buffer);
    private final HeldBytes held = new HeldBytes();
    private final LinkCounters counters = new LinkCounters();
    private final TcpSocket[] hot = new TcpSocket[MOST_HOT];
    private final Consumer<SelectionKey> onSelected = this::onSelected;
    private final ArrayDeque<TcpSocket> news = new ArrayDeque<>();
    private final Set<TcpSocket> sockets = new HashSet<>();
    private final Set<TcpListening> listening = new HashSet<>();
    private int hotCount;
    private int blockedCount;
    private int round;
    private boolean found;
    private long now;
    private FrameTap tap;

    /** The tap of the moment: connections live longer than it. */
    private final FrameTap whoeverLooks = new FrameTap() {
        @Override
        public void sent(long time, MemorySegment frame, long offset, int length) {
            if (tap != null) {
                tap.sent(time, frame, offset, length);
            }
        }

        @Override
        public void received(long time, MemorySegment frame, long offset, int length, Rule decision) {
            if (tap != null) {
                tap.received(time, frame, offset, length, decision);
            }
        }
    };

    /** Another thread waits in the selector, and would keep this one waiting. */
    private volatile boolean waiting;

    /**
     * @param name as the user spelled it
     * @param receiveBuffer bytes asked of the operating system for each connection; 0 leaves it the choice
     * @throws StreamException where the address is not this host's
     */
    TcpNetwork(String name, InetAddress address, int receiveBuffer, KeepAlive keepAlive) {
        this.name = name;
        this.address = address;
        this.receiveBuffer = receiveBuffer;
        this.keepAlive = keepAlive;
        this.local = LocalInterface.of(address);
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new StreamException(TcpSocket.words(e), e);
        }
    }

    // The port.

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Gid> gids() {
        return List.of(Gid.of(address));
    }

    /** What Linux says of iWARP's: they are none of RoCE's. */
    @Override
    public GidType gidType() {
        return GidType.IB;
    }

    @Override
    public int maxPathMtu() {
        return Math.clamp(Integer.highestOneBit(local.mtu()), 256, 4096);
    }

    @Override
    public int interfaceMtu() {
        return local.mtu();
    }

    @Override
    public boolean isUp() {
        return local.isUp();
    }

    @Override
    public LinkCounters counters() {
        return counters;
    }

    /** Shows connections that come about from now on; of those that are there already it does not know the start. */
    @Override
    public void tap(FrameTap value) {
        tap = value;
    }

    /** What shows a connection that has just come about; {@code null} where nobody looks. */
    ConnectionTap show(InetSocketAddress from, InetSocketAddress to, boolean asked) {
        return tap == null ? null : new ConnectionTap(whoeverLooks, from, to, asked, now);
    }

    long now() {
        return now;
    }

    // Connections.

    @Override
    public StreamSocket connect(InetSocketAddress from, InetSocketAddress to, StreamHandler handler) {
        TcpSocket socket = null;
        try {
            SocketChannel channel = SocketChannel.open();
            socket = adopt(channel, SelectionKey.OP_CONNECT);
            socket.handler(handler);
            channel.bind(from == null ? new InetSocketAddress(address, 0) : from);
            if (channel.connect(to)) {
                socket.established(true);
                news.add(socket);
            }
            return socket;
        } catch (IOException | RuntimeException e) {
            if (socket != null) {
                socket.close();
            }
            throw new StreamException(e.getMessage(), e);
        }
    }

    TcpSocket adopt(SocketChannel channel, int interest) throws IOException {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        keepAlive.applyTo(channel);
        if (receiveBuffer > 0) {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, receiveBuffer);
        }
        TcpSocket socket = new TcpSocket(this, channel);
        socket.register(interest);
        sockets.add(socket);
        return socket;
    }

    @Override
    public StreamListener listen(InetSocketAddress at, int backlog, Function<StreamSocket, StreamHandler> accept) {
        try {
            ServerSocketChannel channel = ServerSocketChannel.open();
            try {
                channel.configureBlocking(false);
                channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
                channel.bind(at, backlog);
                TcpListening made = new TcpListening(this, channel, accept);
                listening.add(made);
                return made;
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        } catch (IOException e) {
            throw new StreamException(TcpSocket.words(e), e);
        }
    }

    int segmentSize(InetAddress of) {
        return of.equals(address) ? local.segmentSize() : LocalInterface.of(of).segmentSize();
    }

    Selector selector() {
        return selector;
    }

    HeldBytes held() {
        return held;
    }

    void sent(long bytes) {
        counters.sentTrains++;
        counters.sentBytes += bytes;
    }

    void received(long bytes) {
        counters.receivedBytes += bytes;
    }

    void blocked() {
        blockedCount++;
    }

    void unblocked() {
        blockedCount--;
    }

    void broke(TcpSocket socket) {
        news.add(socket);
    }

    void closed(TcpSocket socket) {
        sockets.remove(socket);
        for (int index = 0; index < hotCount; index++) {
            if (hot[index] == socket) {
                cool(index);
            }
        }
    }

    void closed(TcpListening one) {
        listening.remove(one);
    }

    // Driving.

    @Override
    public boolean poll(long time) {
        now = time;
        found = false;
        while (!news.isEmpty()) {
            news.poll().tell();
            found = true;
        }
        for (int index = hotCount - 1; index >= 0; index--) {
            if (index >= hotCount) {
                continue; // what one connection brought has closed others
            }
            TcpSocket socket = hot[index];
            if (socket.read(buffer, segment, READ_BUDGET)) {
                socket.lastFind = time;
                found = true;
            } else if (time - socket.lastFind > HOT_NANOS && index < hotCount && hot[index] == socket) {
                cool(index);
            }
        }
        if (++round >= ROUNDS || hotCount == 0 || hotCount == MOST_HOT || blockedCount > 0) {
            round = 0;
            select();
        }
        return found;
    }

    private void select() {
        try {
            if (waiting) {
                selector.wakeup();
            }
            selector.selectNow(onSelected);
        } catch (IOException | ClosedSelectorException e) {
            throw new StreamException("the selector has failed: " + e.getMessage(), e);
        }
    }

    private void onSelected(SelectionKey key) {
        found = true;
        if (key.attachment() instanceof TcpListening one) {
            one.acceptable();
            return;
        }
        TcpSocket socket = (TcpSocket) key.attachment();
        int ready = key.readyOps();
        if ((ready & SelectionKey.OP_CONNECT) != 0) {
            socket.connectable();
        }
        if ((ready & SelectionKey.OP_WRITE) != 0 && !socket.isClosed()) {
            socket.writable();
        }
        if ((ready & SelectionKey.OP_READ) != 0 && !socket.isClosed() && !socket.isHot) {
            socket.read(buffer, segment, READ_BUDGET);
            warm(socket);
        }
    }

    private void warm(TcpSocket socket) {
        if (hotCount < MOST_HOT && !socket.isClosed()) {
            socket.isHot = true;
            socket.lastFind = now;
            hot[hotCount++] = socket;
        }
    }

    private void cool(int index) {
        hot[index].isHot = false;
        hot[index] = hot[--hotCount];
        hot[hotCount] = null;
    }

    @Override
    public void await(long nanos) {
        waiting = true;
        try {
            if (nanos >= SELECTABLE_NANOS) {
                selector.select(_ -> {}, nanos / SELECTABLE_NANOS);
            } else if (nanos > 0) {
                LockSupport.parkNanos(Math.min(nanos, NAP_NANOS));
            }
        } catch (IOException | ClosedSelectorException _) {
            LockSupport.parkNanos(Math.min(nanos, NAP_NANOS)); // closed; the caller will find out
        } finally {
            waiting = false;
        }
    }

    @Override
    public void wakeup() {
        selector.wakeup();
    }

    @Override
    public void close() {
        for (TcpListening one : List.copyOf(listening)) {
            one.close();
        }
        for (TcpSocket socket : List.copyOf(sockets)) {
            socket.close();
        }
        try {
            selector.selectNow(); // channels whose keys are cancelled are closed for good by this
            selector.close();
        } catch (IOException _) {
            // It is of no use any more, closed or not.
        }
    }
}
