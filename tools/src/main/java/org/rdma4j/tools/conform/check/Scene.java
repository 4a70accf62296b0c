package org.rdma4j.tools.conform.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.rdma4j.tools.conform.craft.Crafted;
import org.rdma4j.tools.conform.craft.Expected;
import org.rdma4j.tools.conform.craft.Frame;
import org.rdma4j.tools.conform.craft.PeerFrame;
import org.rdma4j.tools.conform.craft.Seen;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.Psn;
import org.rdma4j.wire.Syndrome;

/** What the stories of both roles have in common: a connection, what comes from the peer, and what is inside of it. */
public abstract class Scene extends Stage {

    /** A burst that ends is over after so many packets. */
    private static final int MOST_PACKETS = 10_000;

    private final Connection connection;
    private Predicate<Seen> isForeign = packet -> false;

    Scene(Connection connection) {
        this.connection = connection;
    }

    public Connection connection() {
        return connection;
    }

    public int mtu() {
        return connection.mtu();
    }

    public long now() {
        return connection.pace().now();
    }

    /** Nothing happens on this side for a while. */
    public void pass(long nanos) {
        connection.pace().pass(nanos);
    }

    @Override
    public List<Frame> frames() {
        return connection.line().frames();
    }

    // The wire.

    public void send(Crafted... packets) {
        connection.line().send(packets);
    }

    /** The peer's next packet, {@code null} if none comes within so many nanoseconds. */
    public Seen next(long nanos) {
        return connection.pace().await(this::poll, nanos);
    }

    private Seen poll() {
        Seen packet = connection.line().poll();
        while (packet != null && isForeign.test(packet)) {
            packet = connection.line().poll();
        }
        if (packet != null && !connection.line().isMeant(packet)) {
            throw failed(String.format(
                    "the peer sent to queue pair 0x%06x, which nobody has: %s",
                    packet.packet().bth().destQp(), describe(packet)));
        }
        return packet;
    }

    /** Packets like this are not for this scene: they are another's that has the same line. */
    void leaves(Predicate<Seen> others) {
        isForeign = others;
    }

    /** The peer's next packet. */
    public Seen next() {
        Seen packet = next(connection.timing().answer());
        if (packet == null) {
            throw failed("the peer sent no packet where one was due");
        }
        return packet;
    }

    /** The peer's next packets are these, in this order. */
    public void expect(Expected... packets) {
        for (Expected expected : packets) {
            expectWithin(connection.timing().answer(), expected);
        }
    }

    /** @return the packet */
    public Seen expectWithin(long nanos, Expected expected) {
        Seen packet = next(nanos);
        if (packet == null) {
            throw failed("the peer did not send: " + expected);
        }
        match(packet, expected);
        return packet;
    }

    void match(Seen packet, Expected expected) {
        String mismatch = expected.mismatch(packet.packet());
        if (mismatch != null) {
            throw failed("due of the peer: " + expected + "; it sent " + describe(packet) + ": " + mismatch);
        }
    }

    /** True for a packet that is none of the story's business. */
    boolean isBeyond(Seen packet) {
        return false;
    }

    /** Nothing (more) comes from the peer. */
    public void silence() {
        silence(connection.timing().quiet());
    }

    void silence(long nanos) {
        Seen packet = next(nanos);
        while (packet != null && isBeyond(packet)) {
            packet = next(nanos);
        }
        if (packet != null) {
            throw failed("the peer should have been silent; it sent " + describe(packet));
        }
    }

    /** The frame in which a packet of the peer's has come, just as the network brought it; only for a check that is framed. */
    public PeerFrame frameOf(int psn) {
        PeerFrame frame = await(() -> pollFrame(psn));
        if (frame == null) {
            throw new Outcome.Inconclusive("the packet has come, but the frame was not heard in which it did");
        }
        return frame;
    }

    private PeerFrame pollFrame(int psn) {
        PeerFrame frame = connection.line().pollFrame();
        while (frame != null && frame.psn() != psn) {
            frame = connection.line().pollFrame();
        }
        return frame;
    }

    /** All that comes from now on until the peer is silent. */
    public List<Seen> rest() {
        List<Seen> packets = new ArrayList<>();
        for (Seen packet = next(connection.timing().quiet());
                packet != null && packets.size() < MOST_PACKETS;
                packet = next(connection.timing().quiet())) {
            if (!isBeyond(packet)) {
                packets.add(packet);
            }
        }
        return packets;
    }

    /** A packet in a few words, with its PSN counted from where both sides started. */
    public String describe(Seen seen) {
        if (ManagementWords.isManagement(seen)) {
            return ManagementWords.of(seen, connection.line());
        }
        Packet packet = seen.packet();
        int base = Opcode.isResponse(packet.bth().opcode()) ? connection.firstPsn() : connection.peerPsn();
        StringBuilder words = new StringBuilder(Opcode.name(packet.bth().opcode()));
        words.append(String.format(
                " PSN 0x%06x (%+d)",
                packet.bth().psn(), Psn.difference(packet.bth().psn(), base)));
        packet.extension(Aeth.class)
                .ifPresent(aeth -> words.append(", ")
                        .append(Syndrome.toString(aeth.syndrome()))
                        .append(", MSN ")
                        .append(aeth.msn()));
        long payload = packet.payload().byteSize();
        return payload == 0 ? words.toString() : words + ", " + payload + " bytes";
    }

    // Inside of the peer, where that can be seen.

    /** The peer's own objects; {@code null} where it is another program. */
    public Inside inside() {
        return connection.inside();
    }

    boolean sees(Oracle oracle) {
        if (inside() == null) {
            return false;
        }
        oracles().add(oracle);
        return true;
    }

    private <T> T await(Supplier<T> ready) {
        return connection.pace().await(ready, connection.timing().answer());
    }

    /** The peer's queue pair is, or comes to be, in this state, where that can be seen. */
    public void stateIs(QpState state) {
        if (sees(Oracle.STATE) && await(() -> inside().state() == state ? state : null) == null) {
            throw failed("the peer's queue pair is in " + inside().state() + ", not in " + state);
        }
    }

    /** The peer's memory holds these bytes, and nothing around it was touched, where that can be seen. */
    public void memoryIs(long offset, byte[] bytes) {
        if (!sees(Oracle.MEMORY)) {
            return;
        }
        int difference = Arrays.mismatch(bytes, inside().bytes(offset, bytes.length));
        if (difference >= 0) {
            throw failed("the peer's memory differs from what it should hold at byte " + (offset + difference));
        }
        guardsAreWhole();
    }

    /** No byte outside of the peer's registered memory was touched, where that can be seen. */
    public void guardsAreWhole() {
        if (sees(Oracle.MEMORY) && !inside().guardsAreWhole()) {
            throw failed("bytes outside of the peer's registered memory were written");
        }
    }

    /** The next completion inside of the peer; {@code null} if none comes. */
    WorkCompletion nextCompletion() {
        return await(inside()::poll);
    }

    /** The peer's next completion is this one; {@code null} where it cannot be seen. */
    public WorkCompletion completes(long id, WcStatus status) {
        if (!sees(Oracle.COMPLETION)) {
            return null;
        }
        WorkCompletion completion = nextCompletion();
        if (completion == null) {
            throw failed("no completion came; that of work request " + id + " was due, " + status);
        }
        if (completion.wrId() != id || completion.status() != status) {
            throw failed("completed was work request " + completion.wrId() + ", " + completion.status() + "; due was "
                    + id + ", " + status);
        }
        return completion;
    }

    /** The peer has no (more) completion, where that can be seen. */
    public void completesNothing() {
        if (sees(Oracle.COMPLETION)) {
            WorkCompletion completion = inside().poll();
            if (completion != null) {
                throw failed("nothing more should have completed; work request " + completion.wrId() + " did, "
                        + completion.status());
            }
        }
    }

    /** What a counter of the peer's stands at; 0 where it cannot be seen. */
    public long counter(Rule rule) {
        return inside() == null ? 0 : inside().counted(rule);
    }

    /** The peer has counted so many more since it stood at {@code before}, where that can be seen. */
    public void counted(Rule rule, long before, long more) {
        if (sees(Oracle.COUNTERS) && await(() -> inside().counted(rule) >= before + more ? rule : null) == null) {
            throw failed("the peer counted " + (inside().counted(rule) - before) + " of \"" + rule.text() + "\", not "
                    + more);
        }
    }
}
