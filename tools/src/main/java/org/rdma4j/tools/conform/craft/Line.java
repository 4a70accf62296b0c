package org.rdma4j.tools.conform.craft;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.MadHeader;

/** One queue pair of the hand-played side: what the peer sends to it waits here. */
public final class Line implements AutoCloseable {

    /** What a check looks at comes first. */
    private static final int MOST_FRAMES = 256;

    private final Wire wire;
    private final int qpn;
    private final Queue<Seen> arrived = new ConcurrentLinkedQueue<>();
    private final Queue<PeerFrame> heard = new ConcurrentLinkedQueue<>();
    private final Queue<Frame> frames = new ConcurrentLinkedQueue<>();
    private volatile Gid peer;
    private volatile int peerQpn;
    private volatile boolean closed;
    private volatile boolean spoken;
    private volatile String refusal; // in words; null where every frame has left

    Line(Wire wire, int qpn) {
        this.wire = wire;
        this.qpn = qpn;
    }

    public int qpn() {
        return qpn;
    }

    /** Where its packets go from now on. */
    public void connect(Gid peerGid, int peerQueuePair) {
        peer = peerGid;
        peerQpn = peerQueuePair;
    }

    /** False for a packet that went astray: to a queue pair that nobody has. */
    public boolean isMeant(Seen packet) {
        int destQp = packet.packet().bth().destQp();
        return destQp == qpn || destQp == MadHeader.GSI_QPN;
    }

    /** The own port. */
    public Gid gid() {
        return wire.gid();
    }

    /** What the peer's connection manager says about this communication or request ID comes here. */
    public void answersTo(int id) {
        wire.gsi().answersTo(id, this);
    }

    /** True where that was said of this ID. */
    public boolean isCalled(int id) {
        return wire.gsi().isCalled(id, this);
    }

    /** What the peer's connection manager asks this service for comes here. */
    public void serves(long serviceId) {
        wire.gsi().serves(serviceId, this);
    }

    public void send(Crafted... packets) {
        wire.send(this, packets);
    }

    /**
     * The next packet of the peer's, {@code null} where none is there.
     *
     * @throws FrameRefused where a frame of this line's did not leave: what comes or does not come proves nothing then
     */
    public Seen poll() {
        wire.requireDriven();
        if (refusal != null) {
            throw new FrameRefused(refusal);
        }
        return arrived.poll();
    }

    /** True where a packet like this waits to be polled. */
    public boolean holds(Predicate<Seen> kind) {
        return arrived.stream().anyMatch(kind);
    }

    /** The next of the peer's frames as it came from the network, {@code null} where none is there. */
    public PeerFrame pollFrame() {
        return heard.poll();
    }

    void hears(PeerFrame frame) {
        if (heard.size() < MOST_FRAMES) {
            heard.add(frame);
        }
    }

    Gid peer() {
        return peer;
    }

    int peerQpn() {
        return peerQpn;
    }

    /** What has crossed the wire between the two so far, in order. */
    public List<Frame> frames() {
        return List.copyOf(frames);
    }

    void refused(String why) {
        refusal = why;
    }

    void speaks() {
        spoken = true;
    }

    boolean hasSpokenTo(Gid other) {
        return spoken && other.equals(peer);
    }

    boolean isOpen() {
        return !closed;
    }

    void crossed(Frame frame) {
        frames.add(frame);
    }

    void arrives(Seen packet) {
        arrived.add(packet);
    }

    @Override
    public void close() {
        closed = true;
        wire.forget(this);
    }
}
