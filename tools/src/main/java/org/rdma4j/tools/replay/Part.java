package org.rdma4j.tools.replay;

import java.util.Set;
import org.rdma4j.analysis.Flow;
import org.rdma4j.tools.conform.craft.Line;

/** One connection of those that are acted: what the capture has of it, and what it has become. */
final class Part {

    private final CapturedConnection connection;
    private final Role role;
    private final Line line;
    private final Answers answers;
    private Met met;
    private int sent;
    private int damaged;

    Part(CapturedConnection connection, Role role, Line line, Set<Ignored> ignored) {
        this.connection = connection;
        this.role = role;
        this.line = line;
        this.answers = new Answers(role.own(connection), role.peer(connection), ignored);
    }

    CapturedConnection connection() {
        return connection;
    }

    CapturedConnection.End own() {
        return role.own(connection);
    }

    CapturedConnection.End peer() {
        return role.peer(connection);
    }

    /** The acted side's requests. */
    Flow ownFlow() {
        return role.ownFlow(connection);
    }

    /** The peer's requests. */
    Flow peerFlow() {
        return role.peerFlow(connection);
    }

    Line line() {
        return line;
    }

    Answers answers() {
        return answers;
    }

    /** What is true of the live peer; {@code null} before it has said so. */
    Met met() {
        return met;
    }

    void met(Met now) {
        met = now;
        answers.startWith(now.ownPsn(), now.psn());
    }

    /** A packet has gone out. */
    void sent(boolean isDamaged) {
        sent++;
        damaged += isDamaged ? 1 : 0;
    }

    int sent() {
        return sent;
    }

    /** How many of those sent were damaged in the capture. */
    int damaged() {
        return damaged;
    }
}
