package org.rdma4j.tools.replay;

import org.rdma4j.analysis.Flow;
import org.rdma4j.pcap.CapturedPacket;
import org.rdma4j.wire.RoceFrame;

/** A thing that a capture shows of the side that is acted, or of its peer. */
sealed interface ScriptEvent {

    /** The capture's frame, or the first of several. */
    int frame();

    /** What the acted side said over TCP. */
    record Say(int frame, Turn turn) implements ScriptEvent {}

    /** What its peer said over TCP. */
    record Hear(int frame, Turn turn) implements ScriptEvent {}

    /**
     * A packet of the acted side's, right or damaged.
     *
     * @param flow the requests that it is one of or answers
     */
    record Send(int frame, Part part, CapturedPacket captured, RoceFrame roce, Flow flow) implements ScriptEvent {}

    /** A packet of its peer's. */
    record Expect(int frame, Part part, Answers.Expected expected) implements ScriptEvent {}
}
