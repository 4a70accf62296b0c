package org.rdma4j.tools.replay;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;
import org.rdma4j.tools.conform.craft.Crafted;
import org.rdma4j.tools.conform.craft.Pace;
import org.rdma4j.tools.conform.craft.Seen;
import org.rdma4j.tools.exchange.ExchangeChannel;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Psn;

/**
 * Acts one side of a capture against a live peer: says what it said, sends what it sent, each thing once all that the peer
 * did before has been answered for, or the peer has had its time.
 */
final class Act {

    /** So many answers in a row that do not come, and the peer counts as gone. */
    private static final int GONE_AFTER = 3;

    /** For what the peer sends though nothing is left that it should. */
    private static final long AFTERMATH_NANOS = 100_000_000;

    private final Script script;
    private final Introduction introduction;
    private final Mapping extra;
    private final int udpPort;
    private final Pacing pacing;
    private final long patience;
    private final Deque<ScriptEvent.Expect> open = new ArrayDeque<>();
    private final Map<Part, FrameRewriter> rewriters = new HashMap<>();
    private final List<String> notes = new ArrayList<>();
    private int late; // answers in a row
    private boolean anyLate;

    /**
     * @param extra what is put in the place of what, before the live peer's numbers are
     * @param patience nanoseconds that the peer may take for an answer
     */
    Act(Script script, Introduction introduction, Mapping extra, int udpPort, Pacing pacing, long patience) {
        this.script = script;
        this.introduction = introduction;
        this.extra = extra;
        this.udpPort = udpPort;
        this.pacing = pacing;
        this.patience = patience;
    }

    /** Plays to the end, or until the peer is gone. */
    void play() {
        List<ScriptEvent> events = script.events();
        int lastPacket = lastPacket(events);
        for (int index = 0; index < events.size(); index++) {
            if (!step(events.get(index), index > lastPacket)) {
                break;
            }
        }
        settle(_ -> true);
        Pace.REAL.await(this::listen, AFTERMATH_NANOS);
    }

    private static int lastPacket(List<ScriptEvent> events) {
        for (int index = events.size() - 1; index >= 0; index--) {
            if (events.get(index) instanceof ScriptEvent.Send || events.get(index) instanceof ScriptEvent.Expect) {
                return index;
            }
        }
        return -1;
    }

    /** @return whether to go on */
    private boolean step(ScriptEvent event, boolean isAfterwards) {
        switch (event) {
            case ScriptEvent.Expect expect -> open.add(expect);
            case ScriptEvent.Send send -> {
                settle(expect -> precedes(expect, send));
                if (late >= GONE_AFTER) {
                    notes.add("the peer does not answer any more: nothing from frame " + send.frame() + " on was sent");
                    return false;
                }
                pacing.awaitAfterPause(send.captured().timestamp());
                send(send);
            }
            case ScriptEvent.Say say -> {
                settle(_ -> true);
                return talk(() -> introduction.say(say.turn()), isAfterwards);
            }
            case ScriptEvent.Hear hear -> {
                Duration limit = anyLate ? Duration.ofNanos(patience) : ExchangeChannel.ANSWER_LIMIT;
                return talk(() -> introduction.hear(hear.turn(), limit, this::meet), isAfterwards);
            }
        }
        return true;
    }

    /** What is said when all packets have been sent is manners: who leaves without it does no harm. */
    private boolean talk(Runnable words, boolean isAfterwards) {
        if (!isAfterwards) {
            words.run();
            return true;
        }
        try {
            words.run();
            return true;
        } catch (ToolException e) {
            notes.add("after the last packet: " + e.getMessage());
            return false;
        }
    }

    /** The peer has told where it is: now the packets can be made out to it. */
    private void meet(Part part, Met met) {
        if (part.met() != null) {
            return; // perftest says it again where it waits
        }
        part.met(met);
        part.line().connect(met.gid(), met.qpn());
        Mapping mapping = extra.and(LiveNumbers.of(part));
        rewriters.put(part, new FrameRewriter(mapping, new CarriedNumbers(mapping, List.of()), udpPort));
    }

    private void send(ScriptEvent.Send send) {
        FrameRewriter rewriter = rewriters.get(send.part());
        if (rewriter == null) {
            throw new ToolException(
                    ExitStatus.FAILED, "frame " + send.frame() + " goes to a queue pair that the peer has not told of");
        }
        Rewritten rewritten = rewriter.roce(send.captured(), send.roce(), send.flow());
        byte[] packet = rewritten
                .roce()
                .segment()
                .asSlice(rewritten.roce().bthOffset(), rewritten.roce().transportLength())
                .toArray(ValueLayout.JAVA_BYTE);
        send.part()
                .line()
                .send(Crafted.exactly(packet)
                        .icrcXor(rewritten.icrcXor())
                        .sourcePort(send.roce().udpSourcePort()));
        send.part().sent(rewritten.icrcXor() != 0);
    }

    /**
     * Whether something of the peer's must have come before a packet goes out. An answer is held up by the requests that it
     * answers for and no later ones: a requester may wait for it before it sends those.
     */
    private static boolean precedes(ScriptEvent.Expect expect, ScriptEvent.Send send) {
        Meaning meaning = expect.expected().meaning();
        int opcode = send.roce().opcode();
        if (expect.part() != send.part() || !meaning.isRequest() || !Opcode.isResponse(opcode)) {
            return true;
        }
        int psn = send.roce().psn();
        return meaning.psn() <= Psn.difference(psn, send.part().peer().psn());
    }

    /** Waits for what the peer should have sent by now. */
    private void settle(Predicate<ScriptEvent.Expect> wanted) {
        for (Iterator<ScriptEvent.Expect> each = open.iterator(); each.hasNext(); ) {
            ScriptEvent.Expect next = each.next();
            if (!wanted.test(next)) {
                continue;
            }
            each.remove();
            Answers answers = next.part().answers();
            Boolean settled = Pace.REAL.await(
                    () -> {
                        listen();
                        return answers.isSettled(next.expected()) ? true : null;
                    },
                    late >= GONE_AFTER ? 0 : patience);
            late = settled == null ? late + 1 : 0;
            anyLate |= settled == null;
        }
    }

    /** Takes what has come. */
    private Object listen() {
        for (Part part : script.parts()) {
            for (Seen seen = part.line().poll();
                    seen != null;
                    seen = part.line().poll()) {
                if (part.line().isMeant(seen)) { // not what a run before this one has left behind
                    part.answers().arrived(seen.packet());
                }
            }
        }
        return null;
    }

    /** What was remarkable besides differences. */
    List<String> notes() {
        return notes;
    }
}
