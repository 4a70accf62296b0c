package org.rdma4j.iwarp.rdmap;

import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntSupplier;
import org.rdma4j.iwarp.ConnectParameters;
import org.rdma4j.iwarp.ConnectionEvents;
import org.rdma4j.iwarp.IwarpConnection;
import org.rdma4j.iwarp.IwarpConnections;
import org.rdma4j.iwarp.IwarpListener;
import org.rdma4j.iwarp.mpa.MpaRefusal;
import org.rdma4j.iwarp.mpa.MpaSettings;
import org.rdma4j.iwarp.stream.StreamNetwork;
import org.rdma4j.iwarp.stream.StreamSocket;
import org.rdma4j.iwarp.stream.Train;
import org.rdma4j.link.Port;
import org.rdma4j.transport.Abilities;
import org.rdma4j.transport.AsyncEventListener;
import org.rdma4j.transport.Engine;
import org.rdma4j.transport.Op;
import org.rdma4j.transport.Qp;
import org.rdma4j.transport.QpKind;
import org.rdma4j.transport.QpParts;

/** The engine of an iWARP device: its queue pairs and connections, on whatever network carries its streams. */
public final class IwarpEngine extends Engine implements IwarpConnections {

    /**
     * What a queue pair may send before it is another's turn: a FPDU of the loopback interface, or forty of Ethernet. It
     * is still in the cache when the kernel copies it; 256 KB were not, and cost 40 % of the throughput.
     */
    private static final int TURN_BYTES = 60 << 10;

    private static final int QPN_MASK = 0xFF_FFFF;

    /** The next few are what uninitialised memory would name. */
    private static final int FIRST_QPN = 0x11;

    private static final long OPERATIONS =
            bits(Op.RDMA_WRITE, Op.SEND, Op.RDMA_READ, Op.LOCAL_INV, Op.BIND_MW, Op.SEND_WITH_INV, Op.REG_MR);

    /** With RFC 7306. */
    private static final long EXTENDED =
            OPERATIONS | bits(Op.RDMA_WRITE_WITH_IMM, Op.ATOMIC_CMP_AND_SWP, Op.ATOMIC_FETCH_AND_ADD);

    private static final Abilities ABILITIES =
            new Abilities("iWARP", EnumSet.of(QpKind.RC), OPERATIONS, EXTENDED, 1, false, true);

    private final StreamNetwork network;
    private final IntSupplier random;
    private final Map<Integer, IwarpQp> queuePairs = new HashMap<>();
    private final Deadlines deadlines = new Deadlines();
    private final Train train = new Train();
    private final Plan plan = new Plan();
    private final Cursor cursor = new Cursor();
    private final long[] refusals = new long[MpaRefusal.values().length];
    private MpaSettings settings = MpaSettings.defaults();

    /**
     * @param random where numbers and keys come from; a secure source outside of tests
     * @param listener hears of asynchronous events
     */
    public IwarpEngine(StreamNetwork network, IntSupplier random, AsyncEventListener listener) {
        super(random, listener, TURN_BYTES);
        this.network = network;
        this.random = random;
    }

    private static long bits(int... operations) {
        long bits = 0;
        for (int operation : operations) {
            bits |= 1L << operation;
        }
        return bits;
    }

    @Override
    public Port port() {
        return network;
    }

    @Override
    public Abilities abilities() {
        return ABILITIES;
    }

    @Override
    public Qp createQp(QpKind kind, QpParts parts, int domain) {
        IwarpQp qp = new IwarpQp(this, freshQpn(), parts);
        queuePairs.put(qp.qpn(), qp);
        return qp;
    }

    private int freshQpn() {
        while (true) {
            int qpn = random.getAsInt() & QPN_MASK;
            if (qpn >= FIRST_QPN && !queuePairs.containsKey(qpn)) {
                return qpn;
            }
        }
    }

    // Connections.

    @Override
    public MpaSettings settings() {
        return settings;
    }

    @Override
    public void settings(MpaSettings value) {
        settings = value;
    }

    @Override
    public long refusals(MpaRefusal reason) {
        return refusals[reason.ordinal()];
    }

    void refused(MpaRefusal reason) {
        refusals[reason.ordinal()]++;
    }

    @Override
    public IwarpListener listen(InetSocketAddress local, int backlog, ConnectionEvents events) {
        return new Listening(this, local, backlog, settings, events);
    }

    @Override
    public IwarpConnection connect(
            InetSocketAddress local,
            InetSocketAddress remote,
            int qpNum,
            ConnectParameters parameters,
            ConnectionEvents events) {
        return Connection.ask(this, local, remote, idle(qpNum), parameters, events);
    }

    /** The queue pair that a connection is to be given to. */
    IwarpQp idle(int qpNum) {
        IwarpQp qp = queuePairs.get(qpNum);
        if (qp == null) {
            throw new IllegalArgumentException("the device has no queue pair 0x%06x".formatted(qpNum));
        }
        if (!qp.isIdle()) {
            throw new IllegalArgumentException(
                    "queue pair 0x%06x is in %s: a connection needs one in INIT that has none"
                            .formatted(qpNum, qp.state()));
        }
        return qp;
    }

    StreamNetwork network() {
        return network;
    }

    Deadlines deadlines() {
        return deadlines;
    }

    // Driving.

    @Override
    protected boolean carry(long time) {
        boolean worked = network.poll(time);
        return deadlines.fire(time) || worked;
    }

    @Override
    protected long nextEvent() {
        return deadlines.earliest();
    }

    // For queue pairs.

    Train train() {
        return train;
    }

    Plan plan() {
        return plan;
    }

    Cursor cursor() {
        return cursor;
    }

    void wake(IwarpQp qp) {
        activate(qp);
    }

    void raise(IwarpQp qp, AsyncEventListener.Event event) {
        event(qp, event);
    }

    void forget(IwarpQp qp) {
        queuePairs.remove(qp.qpn());
    }

    /** Hands the made train to TCP. @return bytes taken; 0 where the stream is broken, of which the network tells */
    int write(StreamSocket socket, int skip) {
        return socket.write(train.bytes(skip));
    }
}
