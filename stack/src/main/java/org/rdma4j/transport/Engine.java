package org.rdma4j.transport;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import org.rdma4j.link.Link;
import org.rdma4j.link.PacketHandler;
import org.rdma4j.link.PacketInfo;
import org.rdma4j.link.Transmitter;
import org.rdma4j.memory.KeyTable;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Deth;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Opcode;

/**
 * The protocol engine of one device: all its queue pairs on one link. It does no I/O but through the link, reads no
 * clock, starts no thread: {@link #progress} is given the time and does what can be done.
 *
 * <p>Everything belongs to the driving thread, or to one that holds the device's control lock, but for
 * {@link Qp#ringDoorbell()} and the posting sides of the queues.
 */
public final class Engine {

    /** What a queue pair may send before it is another's turn: one full train at each path MTU, and no packet more. */
    private static final int TURN_BYTES = 60 << 10;

    /** How many turns there are before the network is looked at again, and how many of them may be used up. */
    private static final int TURNS = 16;

    private static final int FULL_TURNS = 4;

    /** More than this on the way to one peer buys nothing, even where its buffer is large. */
    private static final int MAX_WINDOW = 1 << 20;

    private static final VarHandle DOORBELLS;
    private static final VarHandle RUNG;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            DOORBELLS = lookup.findVarHandle(Engine.class, "doorbells", Qp.class);
            RUNG = lookup.findVarHandle(Qp.class, "rung", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Link link;
    private final Transmitter transmitter;
    private final KeyTable keys;
    private final QpTable qps;
    private final AsyncEventListener listener;
    private final Timers timers = new Timers();
    private final Map<Gid, Flow> flows = new HashMap<>();
    private Flow[] flowList = new Flow[0];
    private final ErrorCounters errors = new ErrorCounters();
    private Moderation[] moderations = new Moderation[0];
    private final long[] decisions = new long[Rule.values().length];
    private final PacketHandler handler = this::onPacket;
    private final MulticastGroups groups = new MulticastGroups();
    private final XrcSrqs xrcSrqs = new XrcSrqs();
    private final GrhArea grhArea = new GrhArea();
    private final MemorySegment scratch = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);

    private Qp firstActive;
    private Qp lastActive;
    private volatile Qp doorbells;
    private int round;
    private long now;

    /**
     * @param random where numbers and keys come from; a secure source outside of tests
     * @param listener hears of asynchronous events
     */
    public Engine(Link link, IntSupplier random, AsyncEventListener listener) {
        this.link = link;
        this.transmitter = link.transmitter();
        this.keys = new KeyTable(random);
        this.qps = new QpTable(random);
        this.listener = listener;
    }

    public Link link() {
        return link;
    }

    public KeyTable keys() {
        return keys;
    }

    public ErrorCounters errors() {
        return errors;
    }

    /** The time of this look at the network, or of the last one. */
    public long now() {
        return now;
    }

    /** Puts one moderation in the place of another, each of them perhaps {@code null}. */
    public void exchange(Moderation old, Moderation fresh) {
        List<Moderation> all = new ArrayList<>(List.of(moderations));
        all.remove(old);
        if (fresh != null) {
            all.add(fresh);
        }
        moderations = all.toArray(Moderation[]::new);
    }

    /** How many packets got each decision, by {@link Rule#ordinal()}. */
    public long decisions(Rule rule) {
        return decisions[rule.ordinal()];
    }

    /** Creates a queue pair in RESET. */
    public RcQp createRc(QpParts parts) {
        RcQp qp = new RcQp(this, qps.freshQpn(), parts);
        qps.add(qp);
        return qp;
    }

    /** Creates an unreliable connected queue pair in RESET. */
    public Qp createUc(QpParts parts) {
        UcQp qp = new UcQp(this, qps.freshQpn(), parts);
        qps.add(qp);
        return qp;
    }

    /** Creates the sending end of an XRC connection in RESET. */
    public Qp createXrcInitiator(QpParts parts) {
        XrcInitiator qp = new XrcInitiator(this, qps.freshQpn(), parts);
        qps.add(qp);
        return qp;
    }

    /**
     * Creates the receiving end of an XRC connection in RESET.
     *
     * @param domain the XRC domain's number
     */
    public Qp createXrcTarget(QpParts parts, int domain) {
        XrcTarget qp = new XrcTarget(this, qps.freshQpn(), parts, domain);
        qps.add(qp);
        return qp;
    }

    /**
     * Makes a shared receive queue one that XRC messages can name.
     *
     * @param ring where its receives complete
     * @return its number
     */
    public int addXrcSrq(Srq srq, int domain, CompletionRing ring) {
        return xrcSrqs.add(srq, domain, ring);
    }

    public void removeXrcSrq(int number) {
        xrcSrqs.remove(number);
    }

    /** Creates an unreliable datagram queue pair in RESET. */
    public Qp createUd(QpParts parts) {
        return addUd(qps.freshQpn(), parts);
    }

    /**
     * Creates the queue pair of general services, QPN 1, in RESET.
     *
     * @return {@code null} where the device has it already
     */
    public Qp createGsi(QpParts parts) {
        return qps.lookup(QpTable.GSI_QPN) != null ? null : addUd(QpTable.GSI_QPN, parts);
    }

    private Qp addUd(int qpn, QpParts parts) {
        UdQp qp = new UdQp(this, qpn, parts);
        qps.add(qp);
        return qp;
    }

    /** No new queue pair gets this number until it is released. */
    public void holdQpn(int qpn) {
        qps.hold(qpn);
    }

    public void releaseQpn(int qpn) {
        qps.release(qpn);
    }

    /**
     * Attaches a queue pair to a multicast group that it is not attached to.
     *
     * @throws org.rdma4j.link.LinkException where the link cannot join the group; nothing has changed then
     */
    public void attach(Qp qp, Gid group) {
        if (groups.members(group.high(), group.low()).length == 0) {
            link.join(group);
        }
        groups.attach(qp, group);
    }

    /** Detaches a queue pair from a multicast group that it is attached to. */
    public void detach(Qp qp, Gid group) {
        if (groups.detach(qp, group)) {
            link.leave(group);
        }
    }

    /** Multicast groups that have members here. */
    public int groups() {
        return groups.size();
    }

    /** Queue pairs that are attached to a group. */
    public int attached(Gid group) {
        return groups.members(group.high(), group.low()).length;
    }

    /**
     * Removes a queue pair; no packet and no completion of it comes after. Where it still has a turn coming, or its
     * doorbell was rung, that does nothing: it is in RESET.
     */
    public void destroy(Qp qp, long time) {
        qp.enter(State.RESET, time);
        qp.join(null);
        qps.remove(qp);
        timers.remove(qp);
    }

    /**
     * Does what can be done at {@code time}: sends what was posted and what is owed, takes what has arrived, fires
     * timers.
     *
     * @return false where nothing was there to do
     */
    public boolean progress(long time) {
        now = time;
        round++;
        boolean worked = takeDoorbells();
        if (timers.earliest() <= time) {
            timers.fire(time);
            worked = true;
        }
        worked |= sendTurns(time);
        transmitter.flush(time);
        int received = link.poll(handler, time);
        wakeBlocked();
        for (Moderation moderation : moderations) {
            worked |= moderation.progress(time);
        }
        return worked || received > 0;
    }

    /** The time at which {@link #progress} has something to do if nothing arrives and nothing is posted. */
    public long nextDeadline() {
        if (firstActive != null || doorbells != null) {
            return now;
        }
        long earliest = Math.min(timers.earliest(), link.nextEvent());
        for (Moderation moderation : moderations) {
            earliest = Math.min(earliest, moderation.deadline());
        }
        return earliest;
    }

    /** True where {@link #progress} has work that waits for no one. */
    public boolean hasWork() {
        return firstActive != null || doorbells != null;
    }

    // For queue pairs.

    Transmitter transmitter() {
        return transmitter;
    }

    Timers timers() {
        return timers;
    }

    XrcSrqs xrcSrqs() {
        return xrcSrqs;
    }

    GrhArea grhArea() {
        return grhArea;
    }

    /** Eight bytes for a value on its way to memory. */
    MemorySegment scratch() {
        return scratch;
    }

    /** Counts the looks at the network. */
    int round() {
        return round;
    }

    /** True where others than the queue pair whose turn it is wait for theirs. */
    boolean othersWait() {
        return firstActive != null;
    }

    Flow flow(Gid remote) {
        Flow flow = flows.get(remote);
        if (flow == null) {
            // The peer's buffer is unknown; ours is the best guess, and headers and others take their part of it.
            flow = new Flow(Math.min(MAX_WINDOW, (int) (link.receiveBuffer() * 6L / 10)));
            flows.put(remote, flow);
            flowList = flows.values().toArray(flowList);
        }
        return flow;
    }

    void event(Qp qp, AsyncEventListener.Event event) {
        listener.onEvent(qp, event);
    }

    /** Gives a queue pair a turn. */
    void activate(Qp qp) {
        if (qp.isActive) {
            return;
        }
        qp.isActive = true;
        qp.nextActive = null;
        if (firstActive == null) {
            firstActive = qp;
        } else {
            lastActive.nextActive = qp;
        }
        lastActive = qp;
    }

    /** Any thread: something was posted. */
    void ring(Qp qp) {
        // The post must be visible before the look at the bell, or both sides may miss each other: the driving thread
        // silences the bell and then looks for posts.
        VarHandle.fullFence();
        if ((int) RUNG.getAcquire(qp) != 0 || !RUNG.compareAndSet(qp, 0, 1)) {
            return;
        }
        Qp head;
        do {
            head = doorbells;
            qp.nextDoorbell = head;
        } while (!DOORBELLS.compareAndSet(this, head, qp));
    }

    private boolean takeDoorbells() {
        if (doorbells == null) {
            return false;
        }
        Qp qp = (Qp) DOORBELLS.getAndSet(this, (Qp) null);
        while (qp != null) {
            Qp next = qp.nextDoorbell;
            qp.nextDoorbell = null;
            // From here on a post rings again; what it posted before is seen by the turn that comes.
            RUNG.setRelease(qp, 0);
            activate(qp);
            qp = next;
        }
        VarHandle.fullFence(); // the bells are silent before any turn looks for posts
        return true;
    }

    private boolean sendTurns(long time) {
        Qp waiting = null;
        int full = 0;
        boolean worked = false;
        for (int turn = 0; turn < TURNS && full < FULL_TURNS && firstActive != null; turn++) {
            Qp qp = takeActive();
            switch (qp.transmit(time, TURN_BYTES)) {
                case DONE -> worked = true;
                case WAITS -> {
                    // Not at once again, or the turns that are left would all be its own.
                    worked = true;
                    qp.isActive = true;
                    qp.nextActive = waiting;
                    waiting = qp;
                }
                case MORE -> {
                    worked = true;
                    full++;
                    activate(qp);
                }
            }
        }
        while (waiting != null) {
            Qp qp = waiting;
            waiting = qp.nextActive;
            qp.isActive = false;
            activate(qp);
        }
        return worked;
    }

    private Qp takeActive() {
        Qp qp = firstActive;
        firstActive = qp.nextActive;
        if (firstActive == null) {
            lastActive = null;
        }
        qp.isActive = false;
        qp.nextActive = null;
        return qp;
    }

    private void wakeBlocked() {
        for (Flow flow : flowList) {
            long room = flow.room();
            for (Qp qp = flow.takeBlocked(room); qp != null; qp = flow.takeBlocked(room)) {
                room -= qp.neededRoom;
                activate(qp);
            }
        }
    }

    private Rule onPacket(MemorySegment packet, long at, int length, PacketInfo info) {
        Rule decision = decide(packet, at, length, info);
        decisions[decision.ordinal()]++;
        return decision;
    }

    /** The checks that every packet passes before a queue pair sees it (9.6). */
    private Rule decide(MemorySegment packet, long at, int length, PacketInfo info) {
        if (length < Bth.LENGTH) {
            return Rule.TOO_SHORT;
        }
        if (Bth.transportVersion(packet, at) != 0) {
            return Rule.TRANSPORT_VERSION;
        }
        Qp qp = qps.lookup(Bth.destQp(packet, at));
        if (qp == null) {
            return Bth.destQp(packet, at) == QpTable.MULTICAST_QPN
                    ? decideForGroup(packet, at, length, info)
                    : Rule.UNKNOWN_QP;
        }
        return decide(qp, packet, at, length, info);
    }

    private Rule decide(Qp qp, MemorySegment packet, long at, int length, PacketInfo info) {
        int opcode = Bth.opcode(packet, at);
        if (opcode == Opcode.CNP) {
            return Rule.CNP_IGNORED;
        }
        if (Opcode.service(opcode) != qp.service()) {
            return Rule.OPCODE_CLASS;
        }
        if (!pKeysMatch(Bth.pKey(packet, at), qp.config.pKey)) {
            return Rule.PKEY_MISMATCH;
        }
        return qp.onPacket(opcode, packet, at, length, info, now);
    }

    /** A packet to QPN 0xFFFFFF: for each queue pair that is attached to its group, but not for the one that sent it. */
    private Rule decideForGroup(MemorySegment packet, long at, int length, PacketInfo info) {
        if (!Gid.isMulticast(info.localHigh, info.localLow)) {
            return Rule.MULTICAST_ADDRESS;
        }
        if (length < Bth.LENGTH + Deth.LENGTH) {
            return Rule.TOO_SHORT;
        }
        int source = Deth.sourceQp(packet, at + Bth.LENGTH);
        Rule decision = Rule.MULTICAST_UNATTACHED;
        for (Qp member : groups.members(info.localHigh, info.localLow)) {
            boolean own = member.qpn == source && link.gids().contains(info.remote());
            Rule here = own ? Rule.MULTICAST_OWN : decide(member, packet, at, length, info);
            if (decision != Rule.ACCEPTED) {
                decision = here;
            }
        }
        return decision;
    }

    /** Equal in the low 15 bits, not zero, and at least one of the two a full member (10.9.3). */
    static boolean pKeysMatch(int theirs, int ours) {
        return ((theirs ^ ours) & 0x7FFF) == 0 && (theirs & 0x7FFF) != 0 && ((theirs | ours) & 0x8000) != 0;
    }
}
