package org.rdma4j.ibsim.fabric;

import java.util.function.LongConsumer;
import org.rdma4j.ibsim.time.EventQueue;

/**
 * One port of a node: one end of a cable, with its state and its settings. What it sends is its {@link PortSender}'s, what
 * it takes its {@link PortReceiver}'s.
 */
public final class Port {

    /** Virtual lanes, VL15 among them. */
    public static final int LANES = 16;

    /** The lane of subnet management, which has no flow control (7.6.3). */
    public static final int MANAGEMENT_LANE = 15;

    private final Node node;
    private final int number;
    private final PortCounters counters = new PortCounters();
    private final PortSettings settings;
    private final PortSender sender;
    private final PortReceiver receiver;

    private Port peer;
    private LinkState state = LinkState.DOWN;

    Port(Node node, int number) {
        this.node = node;
        this.number = number;
        this.settings = new PortSettings(node.fabric().bufferBlocks());
        this.sender = new PortSender(this);
        this.receiver = new PortReceiver(this);
        setRate(settings.speed(), settings.width());
    }

    public Node node() {
        return node;
    }

    public int number() {
        return number;
    }

    /** PortGUID: one for each port of a channel adapter, one for all of a switch. */
    public long guid() {
        return node.portGuid(number);
    }

    public PortCounters counters() {
        return counters;
    }

    public PortSettings settings() {
        return settings;
    }

    public LaneArbiter arbiter() {
        return sender.arbiter();
    }

    /** The other end of the cable; {@code null} where there is no cable. */
    public Port peer() {
        return peer;
    }

    public LinkState state() {
        return state;
    }

    PortSender sender() {
        return sender;
    }

    PortReceiver receiver() {
        return receiver;
    }

    /** As messages name it: the node's name and the port's number. */
    @Override
    public String toString() {
        return node.name() + "[" + number + "]";
    }

    /** Shows what this port sends; {@code null} ends it. */
    public void tap(PortTap next) {
        sender.tap(next);
    }

    /** False while the node itself has so much to send by this port that it should make no more for now. */
    public boolean hasRoom() {
        return sender.hasRoom();
    }

    /** Who hears, with the time, that there is room again. */
    public void onRoom(LongConsumer next) {
        sender.onRoom(next);
    }

    EventQueue events() {
        return node.fabric().events();
    }

    // The cable.

    /** @param delay ps from one end to the other */
    void plug(Port other, long delay) {
        peer = other;
        sender.plug(delay);
        setRate(settings.speed(), settings.width());
    }

    void unplug() {
        goDown();
        peer = null;
    }

    /** How fast both ends go from now on. */
    public void setRate(LinkSpeed speed, LinkWidth width) {
        settings.setRate(speed, width);
        sender.setRate(speed, width);
    }

    /** The base LID and its mask, as the subnet manager gives them. */
    public void setLid(int base, int maskControl) {
        settings.setLid(base, maskControl);
        node.fabric().directory().forget();
    }

    // States.

    /** Takes the port where it is told, where that is a way that the state machine knows (7.2.7). */
    public boolean setState(LinkState next) {
        boolean legal = switch (next) {
            case DOWN -> true;
            case INIT -> false; // the link's training leads there
            case ARMED -> state == LinkState.INIT || state == LinkState.ARMED;
            case ACTIVE -> state == LinkState.ARMED || state == LinkState.ACTIVE;
        };
        if (legal && next == LinkState.DOWN) {
            goDown();
            return true;
        }
        if (legal) {
            state = next;
            if (next == LinkState.ACTIVE) {
                sender.trySend(events().now());
            }
        }
        return legal;
    }

    /** Data has come while it was armed: the other end is active (7.2.7.2). */
    void activatedByData() {
        state = LinkState.ACTIVE;
    }

    /** The link was trained: both ends know of each other. */
    void comeUp() {
        if (state != LinkState.DOWN || peer == null) {
            return;
        }
        state = LinkState.INIT;
        node.fabric().stateChanged(this);
        receiver.comeUp();
        sender.comeUp();
    }

    private void goDown() {
        if (state == LinkState.DOWN) {
            return;
        }
        state = LinkState.DOWN;
        counters.linkDowned++;
        receiver.goDown();
        sender.goDown();
        node.fabric().stateChanged(this);
    }
}
