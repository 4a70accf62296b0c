package org.rdma4j.verbs;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.rdma4j.link.Route;
import org.rdma4j.memory.Region;
import org.rdma4j.trace.Tracing;
import org.rdma4j.transport.Abilities;
import org.rdma4j.transport.Qp;
import org.rdma4j.transport.QpConfig;
import org.rdma4j.transport.QpParts;
import org.rdma4j.transport.ReceiveQueue;
import org.rdma4j.transport.SendQueue;
import org.rdma4j.transport.State;
import org.rdma4j.wire.Gid;

/**
 * A queue pair ({@code struct ibv_qp}). One thread posts sends at a time and one posts receives; posting takes no lock
 * and allocates nothing.
 */
public final class QueuePair implements AutoCloseable {

    /** The Q_Key of every device's QP 1 (10.2.5): what a GSI queue pair is given, and what requests to one name. */
    public static final int GSI_QKEY = 0x8001_0000;

    private static final State[] STATES = State.values();
    private static final QpState[] QP_STATES = QpState.values();

    private final ProtectionDomain pd;
    private final DeviceContext device;
    private final QpInitAttributes created;
    private final XrcDomain domain; // of XRC_RECV
    private final Qp qp;
    private final QpPaths paths;
    private final long operations; // that may be posted, a bit each
    private final int readPieces;
    private QpAttributes modified = new QpAttributes();
    private int port = 1;
    private boolean batching;
    private BatchedBinds binds; // null before a batch has one
    private final QpGroups groups;
    private boolean closed;

    private QueuePair(ProtectionDomain pd, QpInitAttributes created, XrcDomain domain, Qp qp) {
        this.pd = pd;
        this.device = pd.device();
        this.created = created;
        this.domain = domain;
        this.qp = qp;
        this.paths = new QpPaths(device, qp);
        this.groups = new QpGroups(device, qp);
        Abilities abilities = device.engine().abilities();
        this.operations = created.extendedOps() ? abilities.extendedOperations() : abilities.operations();
        this.readPieces = abilities.readPieces();
    }

    static QueuePair create(ProtectionDomain pd, QpInitAttributes wanted) {
        return create(pd, wanted, null);
    }

    /** @param domain of a queue pair of type XRC_RECV; {@code null} for any other */
    static QueuePair create(ProtectionDomain pd, QpInitAttributes wanted, XrcDomain domain) {
        QpChecks.check(pd, wanted, domain);
        DeviceContext device = pd.device();
        SharedReceiveQueue shared = wanted.srq();
        SendQueue sends = new SendQueue(wanted.maxSendWr(), wanted.maxSendSge(), wanted.maxInlineData());
        ReceiveQueue receives = new ReceiveQueue(shared == null ? wanted.maxReceiveWr() : 0, wanted.maxReceiveSge());
        QpParts parts = new QpParts(
                pd.number(),
                wanted.signalAll(),
                sends,
                receives,
                shared == null ? null : shared.srq(),
                wanted.sendCq().ring(),
                wanted.receiveCq().ring());
        Qp[] made = new Qp[1];
        device.control(() -> made[0] = create(device, wanted.type(), parts, domain));
        made[0].config().extendedOps = wanted.extendedOps();
        QueuePair queuePair = new QueuePair(pd, wanted, domain, made[0]);
        device.add(made[0], queuePair);
        pd.adopt();
        wanted.sendCq().adopt();
        wanted.receiveCq().adopt();
        if (shared != null) {
            shared.adopt();
        }
        if (domain != null) {
            domain.adopt();
        }
        return queuePair;
    }

    private static Qp create(DeviceContext device, QpType type, QpParts parts, XrcDomain domain) {
        Qp qp = device.engine().createQp(type.kind(), parts, domain == null ? 0 : domain.number());
        if (qp == null) {
            throw VerbsException.busy("the device has its %s queue pair, QPN 1, already", type);
        }
        return qp;
    }

    /** The queue pair's number, 24 bits. */
    public int qpNum() {
        return qp.qpn();
    }

    public QpState state() {
        return QP_STATES[qp.state().ordinal()];
    }

    public ProtectionDomain pd() {
        return pd;
    }

    /** What it was created with. */
    public QpInitAttributes initAttributes() {
        return created;
    }

    // Life cycle.

    /**
     * Changes attributes and state ({@code ibv_modify_qp}).
     *
     * @throws VerbsException EINVAL, naming the attribute and the reason; nothing has changed then
     * @throws org.rdma4j.link.LinkException where the peer cannot be reached
     */
    public void modify(QpAttributes wanted) {
        if (closed) {
            throw VerbsException.invalid("the queue pair was destroyed");
        }
        QpState from = state();
        QpState to = wanted.has(QpAttribute.STATE) ? wanted.state() : from;
        if (wanted.has(QpAttribute.CUR_STATE) && wanted.currentState() != from) {
            throw VerbsException.invalid("CUR_STATE says %s, the queue pair is in %s", wanted.currentState(), from);
        }
        String refusal = device.engine().abilities().streams()
                ? StreamTransitions.refusal(from, to, wanted.mask())
                : QpTransitions.refusal(created.type(), from, to, wanted.mask());
        if (refusal == null) {
            refusal = QpAttributeRanges.refusal(wanted, device);
        }
        if (refusal != null) {
            throw VerbsException.invalid("%s", refusal);
        }
        device.control(() -> {
            if (state() != from) {
                throw VerbsException.invalid("the queue pair fell from %s to %s meanwhile", from, state());
            }
            String migration = paths.refusal(wanted);
            if (migration != null) {
                throw VerbsException.invalid("%s", migration);
            }
            int peer = wanted.has(QpAttribute.DEST_QPN) ? wanted.destQpNum() : qp.config().destQpn;
            Route route = wanted.has(QpAttribute.AV) ? paths.route(wanted.av(), peer) : null;
            Route alternate = wanted.has(QpAttribute.ALT_PATH) ? paths.route(wanted.alternateAv(), peer) : null;
            if (from == QpState.SQD && to == QpState.SQD && !qp.isDrained()) {
                throw VerbsException.invalid("SQD to SQD needs a drained send queue: requests are still outstanding");
            }
            apply(wanted, route, alternate);
            if (from == QpState.SQD && route != null) {
                qp.rerouted();
            }
            if (to == QpState.RESET) {
                paths.forget();
            }
            if (to != from || to == QpState.RESET) {
                qp.enter(STATES[to.ordinal()], device.now());
            } else if (to == QpState.RTS) {
                qp.enter(State.RTS, device.now());
            }
            if (to == QpState.SQD && from == QpState.RTS && wanted.sqdAsyncNotify()) {
                qp.notifyWhenDrained();
            }
        });
        modified = to == QpState.RESET ? new QpAttributes() : wanted;
    }

    private void apply(QpAttributes wanted, Route route, Route alternate) {
        QpConfig config = qp.config();
        for (QpAttribute attribute : wanted.mask()) {
            switch (attribute) {
                case ACCESS_FLAGS -> config.access = wanted.accessFlags();
                case PKEY_INDEX -> paths.pkeyIndex(wanted.pkeyIndex());
                case PORT -> port = wanted.port();
                case QKEY -> config.qKey = created.type() == QpType.GSI ? GSI_QKEY : wanted.qkey();
                case AV -> paths.take(wanted.av(), route);
                case PATH_MTU -> config.pathMtu = wanted.pathMtu();
                case TIMEOUT -> config.timeout = wanted.timeout();
                case RETRY_CNT -> config.retryCount = wanted.retryCount();
                case RNR_RETRY -> config.rnrRetry = wanted.rnrRetry();
                case RQ_PSN -> config.rqPsn = wanted.rqPsn();
                case SQ_PSN -> config.sqPsn = wanted.sqPsn();
                case MAX_QP_RD_ATOMIC -> config.maxRdAtomic = wanted.maxRdAtomic();
                case MAX_DEST_RD_ATOMIC -> config.maxDestRdAtomic = wanted.maxDestRdAtomic();
                case MIN_RNR_TIMER -> config.minRnrTimer = wanted.minRnrTimer();
                case DEST_QPN -> config.destQpn = wanted.destQpNum();
                case ALT_PATH -> paths.load(wanted, alternate);
                case PATH_MIG_STATE -> paths.migrate(wanted.migrationState());
                case STATE, CUR_STATE, EN_SQD_ASYNC_NOTIFY, CAP, RATE_LIMIT -> {}
            }
        }
    }

    /** All attributes as they are now ({@code ibv_query_qp}). */
    public QpAttributes query() {
        QpConfig config = qp.config();
        QpAttributes now = new QpAttributes()
                .state(state())
                .currentState(state())
                .accessFlags(config.access)
                .port(port)
                .qkey(config.qKey)
                .pathMtu(config.pathMtu)
                .timeout(config.timeout)
                .retryCount(config.retryCount)
                .rnrRetry(config.rnrRetry)
                .rqPsn(config.rqPsn)
                .sqPsn(config.sqPsn)
                .maxRdAtomic(config.maxRdAtomic)
                .maxDestRdAtomic(config.maxDestRdAtomic)
                .minRnrTimer(config.minRnrTimer)
                .destQpNum(config.destQpn)
                .sqdAsyncNotify(modified.sqdAsyncNotify());
        device.control(() -> paths.addTo(now));
        return now;
    }

    /** An entry of the P_Key table was changed; the caller holds the control lock. */
    void pkeyChanged(int index) {
        paths.pkeyChanged(index);
    }

    /**
     * Has COMM_EST come with the first packet in RTS too, not only in RTR: for whoever has gone to RTS and still waits for
     * the word that the peer is ready.
     */
    public void tellFirstPacket(boolean value) {
        device.control(() -> qp.config().tellFirstPacket = value);
    }

    /** What it offers a peer of its like ({@code ibv_query_ece}): nothing beyond the standard. */
    public Ece queryEce() {
        return Ece.NONE;
    }

    /**
     * Takes up what the peer offers ({@code ibv_set_ece}); that is well where it offers nothing.
     *
     * @throws VerbsException EOPNOTSUPP: no vendor's enhancements are known here
     */
    public void setEce(Ece ece) {
        if (ece.vendorId() != 0) {
            throw VerbsException.unsupported("enhancements of vendor 0x%06x are not known", ece.vendorId());
        }
    }

    // Multicast.

    /**
     * Gets what is sent to a multicast group from now on ({@code ibv_attach_mcast}). The sender names QPN 0xFFFFFF; what
     * this queue pair itself sends to the group it does not get.
     *
     * @param group its GID: ff00::/8, or an IPv4 group in its mapped form
     * @param lid of the group; Ethernet has none, so it is not looked at
     * @throws VerbsException EINVAL where this is no UD queue pair, the GID names no group, or it is attached already;
     *     ENOMEM beyond the device's limits
     * @throws org.rdma4j.link.LinkException where the link cannot join the group
     */
    public void attachMulticast(Gid group, int lid) {
        if (created.type() != QpType.UD) {
            throw VerbsException.invalid("a %s queue pair cannot be attached to a multicast group", created.type());
        }
        device.control(() -> groups.attach(group));
    }

    /**
     * Ends {@link #attachMulticast} ({@code ibv_detach_mcast}).
     *
     * @throws VerbsException EINVAL where it is not attached
     */
    public void detachMulticast(Gid group, int lid) {
        device.control(() -> groups.detach(group));
    }

    void detachAll() {
        device.control(groups::detachAll);
    }

    // Posting.

    /**
     * Posts a send ({@code ibv_post_send}).
     *
     * @throws VerbsException EINVAL where state, operation or memory do not allow it, ENOMEM where the queue is full
     */
    public void postSend(SendWorkRequest wr) {
        requireNoBatch();
        write(wr);
        publish();
    }

    /**
     * Posts a list of sends ({@code ibv_post_send} with a chain) with one look of the device at it.
     *
     * @throws VerbsException as for one; {@link VerbsException#badRequest()} says which, and those before it are posted
     */
    public void postSend(List<SendWorkRequest> list) {
        requireNoBatch();
        int posted = 0;
        try {
            while (posted < list.size()) {
                write(list.get(posted));
                posted++;
            }
        } catch (VerbsException e) {
            throw e.at(posted);
        } finally {
            publish();
        }
    }

    /** Opens a batch of sends that are posted together or not at all ({@code ibv_wr_start}). */
    public void startSends() {
        if (batching) {
            throw VerbsException.invalid("a batch is open already");
        }
        batching = true;
    }

    /**
     * Adds a send to the batch; the work request can be filled anew after it.
     *
     * @throws VerbsException as {@link #postSend(SendWorkRequest)}; the batch stays as it was
     */
    public void addSend(SendWorkRequest wr) {
        requireBatch();
        write(wr);
    }

    /** Posts the batch ({@code ibv_wr_complete}). */
    public void completeSends() {
        requireBatch();
        batching = false;
        if (binds != null) {
            binds.posted();
        }
        publish();
    }

    /** Drops the batch: nothing of it is posted ({@code ibv_wr_abort}). */
    public void abortSends() {
        requireBatch();
        batching = false;
        if (binds != null) {
            binds.forget();
        }
        qp.sendQueue().forget();
    }

    private void requireNoBatch() {
        if (batching) {
            throw VerbsException.invalid("a batch is open: add to it, complete it or abort it");
        }
    }

    private void requireBatch() {
        if (!batching) {
            throw VerbsException.invalid("no batch is open");
        }
    }

    private void publish() {
        qp.sendQueue().publish();
        qp.ringDoorbell();
        device.driver().posted();
    }

    /** Checks a send and writes it to the queue, where nobody sees it yet. */
    private void write(SendWorkRequest wr) {
        if (wr.window() == null) {
            enqueue(wr);
        } else if (wr.window().type() == WindowType.TYPE_1) {
            throw VerbsException.invalid("a window of type 1 is bound by bind(), which draws its R_Key");
        } else {
            enqueueBind(wr);
        }
    }

    private void enqueue(SendWorkRequest wr) {
        SendQueue queue = qp.sendQueue();
        requireAbility(wr);
        SendChecks.check(wr, queue, created, pd);
        if (queue.isFull()) {
            throw new VerbsException(
                    VerbsException.Errno.ENOMEM, "the send queue's " + queue.capacity() + " entries are taken");
        }
        queue.write(
                wr.wrId(),
                wr.opcode().number(),
                wr.flags(),
                wr.immediate(),
                wr.remoteAddress(),
                wr.remoteKey(),
                wr.swapOrAdd(),
                wr.compare());
        if (created.type() == QpType.XRC_SEND) {
            queue.remoteSrq(wr.remoteSrq());
        }
        if (wr.ah() != null) {
            queue.address(wr.ah().route());
        }
        if (wr.isInline()) {
            copyInline(queue, wr);
        } else {
            for (int piece = 0; piece < wr.count(); piece++) {
                queue.addPiece(wr.address(piece), wr.length(piece), wr.key(piece));
            }
        }
        queue.keep();
        if (Tracing.isOn()) {
            qp.tracePost(false, wr.wrId(), wr.opcode().name(), wr.length());
        }
    }

    /** What the queue pair's state and the device's family allow. */
    private void requireAbility(SendWorkRequest wr) {
        State state = qp.state();
        if (state == State.RESET || state == State.INIT || state == State.RTR) {
            throw VerbsException.invalid("sends cannot be posted in state %s", state);
        }
        if ((operations >>> wr.opcode().number() & 1) == 0) {
            throw VerbsException.unsupported(
                    "%s has no %s%s",
                    device.engine().abilities().transport(), wr.opcode(), withExtensions(wr.opcode()));
        }
        if (wr.count() > readPieces && wr.opcode() == WrOpcode.RDMA_READ) {
            throw VerbsException.invalid(
                    "a READ of %s has %d piece of local memory, not %d",
                    device.engine().abilities().transport(), readPieces, wr.count());
        }
    }

    private void tracePost(ReceiveWorkRequest wr) {
        long bytes = 0;
        for (int piece = 0; piece < wr.count(); piece++) {
            bytes += wr.length(piece);
        }
        qp.tracePost(true, wr.wrId(), "RECV", bytes);
    }

    /**
     * Binds a window of type 1 ({@code ibv_bind_mw}): posts a BIND_MW that gives it the next R_Key. What was bound before is
     * taken back by it; 0 bytes take it back and bind nothing.
     *
     * @param wr {@link WrOpcode#BIND_MW} with {@link SendWorkRequest#bindTo}
     * @return the R_Key, of use from the completion on
     * @throws VerbsException EINVAL for a window of type 2, and what {@link #postSend} throws
     */
    public int bind(MemoryWindow window, SendWorkRequest wr) {
        if (window.type() != WindowType.TYPE_1) {
            throw VerbsException.invalid("a window of type 2 is bound by postSend, with an R_Key of your choice");
        }
        requireNoBatch();
        enqueueBind(wr.window(window, MemoryWindow.nextKey(window.rKey())));
        publish();
        return window.rKey();
    }

    private void enqueueBind(SendWorkRequest wr) {
        enqueue(wr);
        if (!batching) {
            wr.window().posted(wr.remoteKey());
            return;
        }
        if (binds == null) {
            binds = new BatchedBinds();
        }
        binds.add(wr.window(), wr.remoteKey());
    }

    private String withExtensions(WrOpcode opcode) {
        boolean extension = (device.engine().abilities().extendedOperations() >>> opcode.number() & 1) != 0;
        return extension ? ": create the queue pair with extended operations where the peer is known to have them" : "";
    }

    private void copyInline(SendQueue queue, SendWorkRequest wr) {
        MemorySegment source = wr.inlineSource();
        if (source != null) {
            queue.addInline(source, wr.inlineOffset(), (int) wr.length());
            return;
        }
        for (int piece = 0; piece < wr.count(); piece++) {
            int length = wr.length(piece);
            Region region = device.engine().keys().lookup(wr.key(piece));
            if (region == null || !region.permits(wr.address(piece), length, 0, region.pd())) {
                throw VerbsException.invalid("inline piece %d is outside of its region", piece);
            }
            queue.addInline(region.block(), region.offsetOf(wr.address(piece)), length);
        }
    }

    /**
     * Posts a receive ({@code ibv_post_recv}).
     *
     * @throws VerbsException EINVAL in RESET, with too many pieces, or with a shared receive queue, ENOMEM where the queue
     *     is full
     */
    public void postReceive(ReceiveWorkRequest wr) {
        if (created.type() == QpType.XRC_SEND || created.type() == QpType.XRC_RECV) {
            throw VerbsException.invalid("a %s queue pair takes no receives of its own", created.type());
        }
        if (created.srq() != null) {
            throw VerbsException.invalid("receives of this queue pair are posted to its shared receive queue");
        }
        ReceiveQueue queue = qp.receiveQueue();
        State state = qp.state();
        if (state == State.RESET) {
            throw VerbsException.invalid("receives cannot be posted in state RESET");
        }
        if (queue.isFull()) {
            throw new VerbsException(
                    VerbsException.Errno.ENOMEM, "the receive queue's " + queue.capacity() + " entries are taken");
        }
        if (wr.count() > queue.maxPieces()) {
            throw VerbsException.invalid("%d scatter elements, max_recv_sge is %d", wr.count(), queue.maxPieces());
        }
        queue.write(wr.wrId());
        for (int piece = 0; piece < wr.count(); piece++) {
            queue.addPiece(wr.address(piece), wr.length(piece), wr.key(piece));
        }
        if (Tracing.isOn()) {
            tracePost(wr);
        }
        queue.publish();
        // Looked at again: a receive that is posted while the queue pair fails must be flushed too.
        if (qp.state() == State.ERR) {
            qp.ringDoorbell();
            device.driver().posted();
        }
    }

    /**
     * Destroys it ({@code ibv_destroy_qp}): after the return no packet of it is sent and no completion comes.
     *
     * @throws VerbsException EBUSY while it is attached to a multicast group
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        groups.requireNone();
        closed = true;
        device.control(() -> device.engine().destroy(qp, device.now()));
        device.remove(qp);
        created.sendCq().release();
        created.receiveCq().release();
        if (created.srq() != null) {
            created.srq().release();
        }
        if (domain != null) {
            domain.release();
        }
        pd.release();
    }
}
