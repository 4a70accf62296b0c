package org.rdma4j.ibsim.fabric;

/**
 * Packets of one virtual lane that have come in at a port, or that a node has made itself, in the order in which they go
 * on. Only the first can: what is behind it waits with it (head-of-line blocking).
 */
final class InputLane {

    /** Where the packets came in, or, those of the node itself, where they go out. */
    final Port port;

    final int virtualLane;

    private final boolean source;
    private final Node node;
    private final Grant grant;
    private FabricPacket head;
    private FabricPacket tail;
    private int packets;

    /** The first packet waits for an output, or is being sent by it. */
    private boolean engaged;

    /** Sends the packet that was the first, and tells nobody when it has gone unless it is asked to. */
    private PortSender leavesBy;

    /** Where the first packet waits. */
    OutputLane waitsFor;

    /** The one that waits behind it for the same output. */
    InputLane nextWaiting;

    /** Since when the first packet is the first, ps. */
    long headSince;

    /** @param grant what the lane's buffer holds; {@code null} where nobody sends by credit */
    InputLane(Port port, int virtualLane, Grant grant, boolean source) {
        this.node = port.node();
        this.port = port;
        this.virtualLane = virtualLane;
        this.grant = grant;
        this.source = source;
    }

    /** The lane of what a node itself sends by a port. */
    static InputLane source(Port port, int virtualLane) {
        return new InputLane(port, virtualLane, null, true);
    }

    /** True for packets of the node itself, which go out by {@link #port}. */
    boolean isSource() {
        return source;
    }

    Grant grant() {
        return grant;
    }

    int packets() {
        return packets;
    }

    FabricPacket head() {
        return head;
    }

    void add(FabricPacket packet, long now) {
        packet.next = null;
        if (head == null) {
            head = packet;
            headSince = now;
        } else {
            tail.next = packet;
        }
        tail = packet;
        packets++;
        if (source) {
            port.sender().countOwn(packet.blocks());
        }
        if (leavesBy != null) {
            leavesBy.wakeAtEnd(now);
        }
        goOn(now);
    }

    /** Frees the room of what has gone out by now. */
    void settle(long now) {
        if (leavesBy != null && leavesBy.hasEnded(now)) {
            leavesBy.wakeAtEnd(now);
        }
    }

    /** True where the end of a packet that was taken changes something at once: there is a next one, or its room is missed. */
    boolean isAwaited(int blocks) {
        return head != null || grant != null && grant.isMissed(blocks);
    }

    /** The packet that was taken is going out; what comes behind it says so to its sender. */
    void leavesBy(PortSender sender) {
        leavesBy = sender;
    }

    /** Has the first packet, where it has no output yet, find one or be dropped. */
    void goOn(long now) {
        while (!engaged && head != null) {
            engaged = true;
            if (!node.forward(head, this, now)) {
                engaged = false;
                drop(now);
            }
        }
    }

    /** Takes the first packet to send it; its room is free, and the next one's turn comes, when it has {@link #left}. */
    FabricPacket take() {
        FabricPacket first = head;
        head = first.next;
        first.next = null;
        packets--;
        if (source) {
            port.sender().countOwn(-first.blocks());
        }
        return first;
    }

    /** The packet that was taken has gone out to its end. */
    void left(int blocks, long now) {
        leavesBy = null;
        release(blocks, now);
        engaged = false;
        headSince = now;
        goOn(now);
    }

    /** The first packet was sent to one of its targets and goes to the next. */
    void again(long now) {
        engaged = false;
        goOn(now);
    }

    /** The first packet waits no more for an output: it is dropped. */
    void giveUp(long now) {
        engaged = false;
        drop(now);
        goOn(now);
    }

    private void drop(long now) {
        FabricPacket first = take();
        int blocks = first.blocks();
        node.fabric().giveBack(first);
        headSince = now;
        release(blocks, now);
    }

    private void release(int blocks, long now) {
        if (grant != null) {
            grant.release(blocks);
            port.sender().owesCredit(this, now);
        }
    }

    /** Forgets what has not gone on: the port's link went down. */
    void clear() {
        if (waitsFor != null) {
            waitsFor.port.sender().stopWaiting(this);
            engaged = false;
        }
        while (head != null) {
            FabricPacket lost = take();
            if (grant != null) {
                grant.release(lost.blocks());
            }
            node.fabric().giveBack(lost);
        }
    }
}
