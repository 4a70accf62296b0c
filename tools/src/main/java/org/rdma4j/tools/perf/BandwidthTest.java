package org.rdma4j.tools.perf;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;
import org.rdma4j.tools.exchange.BandwidthFigures;

/** The bandwidth tests: who sends when, and which barriers stand between. */
final class BandwidthTest {

    /** How often to look whether the peer is done, where messages may get lost. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** How long a message may take that the peer has sent for sure. */
    private static final long LOST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Plan plan;
    private final Dialogue dialogue;
    private final Endpoint endpoint;
    private final Consumer<BandwidthFigures> results;
    private long lost;

    /** @param results is given a row for each size that this end measured or was told of */
    BandwidthTest(Plan plan, Dialogue dialogue, Endpoint endpoint, Consumer<BandwidthFigures> results) {
        this.plan = plan;
        this.dialogue = dialogue;
        this.endpoint = endpoint;
        this.results = results;
    }

    /** Runs from the connected queue pairs to the last word. */
    void run() {
        if (plan.operation() == PerfTest.Operation.SEND) {
            runSends();
        } else {
            dialogue.barrierOfAll();
            dialogue.barrier();
            if (plan.bidirectional()) {
                runBothWays();
            } else {
                runOneWay();
            }
        }
        dialogue.barrier();
        dialogue.done();
        if (lost > 0) {
            throw new ToolException(
                    ExitStatus.FAILED,
                    lost + " messages were lost, and " + plan.service()
                            + " does not send them again; --rate_limit slows the sender");
        }
    }

    private void runSends() {
        dialogue.barrier();
        dialogue.barrierOfAll();
        for (int size : plan.sizes()) {
            Span span = new Span(plan);
            endpoint.use(size);
            Sender sender = plan.sends(dialogue.isClient()) ? new Sender(endpoint, plan, size, span) : null;
            Receiver receiver = plan.sends(!dialogue.isClient()) ? new Receiver(endpoint, plan, size, span) : null;
            if (receiver != null) {
                receiver.prepare();
            }
            dialogue.barrier();
            move(sender, receiver);
            Meter meter = sender != null ? sender.meter() : receiver.meter();
            BandwidthFigures mine = meter.figures();
            if (!plan.bidirectional()) {
                if (meter.completed() > 0) {
                    results.accept(mine);
                }
            } else {
                results.accept(sum(mine, plan.isTimed() ? receiver.meter().figures() : dialogue.figures(mine)));
            }
            if (plan.allSizes()) {
                dialogue.barrier();
            }
        }
    }

    /** WRITEs, READs and atomics whose target does nothing but let them happen: the device is driven in the barrier. */
    private void runOneWay() {
        BandwidthFigures mine = new BandwidthFigures(0, 0, 0, 0, 0);
        if (dialogue.isClient()) {
            for (int size : plan.sizes()) {
                mine = measure(size);
                results.accept(mine);
            }
        }
        dialogue.barrier();
        BandwidthFigures theirs = dialogue.figures(mine);
        if (!dialogue.isClient()) {
            results.accept(theirs);
        }
    }

    private void runBothWays() {
        for (int size : plan.sizes()) {
            dialogue.barrier();
            BandwidthFigures mine = measure(size);
            if (plan.allSizes()) {
                dialogue.barrier();
            }
            results.accept(sum(mine, dialogue.figures(mine)));
        }
    }

    private BandwidthFigures measure(int size) {
        endpoint.use(size);
        Sender sender = new Sender(endpoint, plan, size, new Span(plan));
        move(sender, null);
        return sender.meter().figures();
    }

    private void move(Sender sender, Receiver receiver) {
        Waiting waiting = new Waiting(endpoint, dialogue.channel(), plan.isReliable());
        long quietSince = 0;
        long nextLook = 0;
        while (true) {
            long now = System.nanoTime();
            if ((sender == null || sender.isDone(now)) && (receiver == null || receiver.isDone(now))) {
                return;
            }
            boolean worked = sender != null && sender.step();
            worked |= receiver != null && receiver.step();
            if (worked) {
                waiting.found();
                quietSince = 0;
                continue;
            }
            if (!plan.isReliable() && quietSince == 0 && now >= nextLook) {
                nextLook = now + LOOK_NANOS;
                // The peer is done: what is still under way comes within some time, and the rest was lost.
                quietSince = dialogue.channel().hasInput() ? now : 0;
            }
            if (quietSince != 0 && now - quietSince > LOST_NANOS) {
                lost += receiver == null || plan.isTimed() ? 0 : receiver.missing();
                return;
            }
            waiting.nothing();
        }
    }

    private static BandwidthFigures sum(BandwidthFigures mine, BandwidthFigures theirs) {
        return new BandwidthFigures(
                mine.size(),
                mine.iterations(),
                mine.peak() + theirs.peak(),
                mine.average() + theirs.average(),
                mine.messageRate() + theirs.messageRate());
    }
}
