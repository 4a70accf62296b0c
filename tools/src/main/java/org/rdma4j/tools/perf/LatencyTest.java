package org.rdma4j.tools.perf;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.rdma4j.tools.PollingPace;
import org.rdma4j.verbs.WcStatus;

/** The latency tests: one message at a time, and the time from one to the next. */
final class LatencyTest {

    /** How long an end whose test has no last word stays to answer a peer that missed an acknowledgement. */
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** An acknowledgement is put off for no more looks at the network than this. */
    private static final int ACKNOWLEDGE_ROUNDS = 64;

    private final Plan plan;
    private final Dialogue dialogue;
    private final Endpoint endpoint;
    private final Waiting waiting;
    private final Consumer<LatencyFigures> results;
    private final Consumer<String> notes;

    private Histogram roundTrips;
    private Span span;
    private long measured;
    private long lastPost;
    private int sent;
    private int received;
    private int outstanding;

    /**
     * @param results is given a row for each size that this end measured
     * @param notes is told what the user should know and is no failure
     */
    LatencyTest(
            Plan plan, Dialogue dialogue, Endpoint endpoint, Consumer<LatencyFigures> results, Consumer<String> notes) {
        this.plan = plan;
        this.dialogue = dialogue;
        this.endpoint = endpoint;
        this.waiting = new Waiting(endpoint, dialogue.channel(), plan.isReliable());
        this.results = results;
        this.notes = notes;
    }

    /** Runs from the connected queue pair to the last word. */
    void run() {
        dialogue.barrier();
        dialogue.barrier();
        boolean sends = plan.operation() == PerfTest.Operation.SEND;
        if (!sends) {
            dialogue.barrier();
        }
        for (int size : plan.sizes()) {
            endpoint.use(size);
            begin();
            switch (plan.operation()) {
                case SEND -> playSends(size);
                case WRITE -> playWrites(size);
                case READ, ATOMIC -> {
                    if (dialogue.isClient()) {
                        ask(size);
                    }
                }
            }
        }
        if (plan.operation() == PerfTest.Operation.WRITE) {
            linger();
        } else {
            dialogue.barrier();
            dialogue.done();
        }
    }

    private void begin() {
        roundTrips = LatencyFigures.newHistogram();
        span = new Span(plan);
        measured = 0;
        lastPost = 0;
        sent = 0;
        received = 0;
        outstanding = 0;
    }

    /** The client begins; each end answers what it receives. */
    private void playSends(int size) {
        int posted = 0;
        while (posted < plan.receivesEach()) {
            endpoint.postReceive(0, posted++);
        }
        dialogue.barrier();
        while (sent < plan.iterations() || received < plan.iterations()) {
            if (received < plan.iterations() && (sent > 0 || !dialogue.isClient())) {
                if (!await(() -> endpoint.poll(endpoint.receiveCq, "receive " + (received + 1)))) {
                    break;
                }
                received++;
                if (posted < plan.iterations()) {
                    endpoint.postReceive(0, posted++);
                }
                if (plan.events()) {
                    acknowledgeFirst();
                }
            }
            if (sent < plan.iterations()) {
                if (!await(this::isFree)) {
                    break;
                }
                post();
            }
        }
        if (!plan.isTimed()) {
            await(this::isFree);
        }
        report(size, 2);
    }

    /**
     * ib_send_lat -e takes the event that follows its SEND for that SEND's completion, and fails where it was another's:
     * so the acknowledgement of what was received must leave before the answer, which may overtake it otherwise.
     */
    private void acknowledgeFirst() {
        for (int round = 0; round < ACKNOWLEDGE_ROUNDS; round++) {
            endpoint.device().progress();
        }
    }

    /** The server begins: the last byte counts, and the other end watches it. */
    private void playWrites(int size) {
        MemorySegment target = endpoint.lastByteOfTarget();
        MemorySegment source = endpoint.lastByteToSend();
        while (sent < plan.iterations() || received < plan.iterations()) {
            if (received < plan.iterations() && (sent > 0 || dialogue.isClient())) {
                byte expected = (byte) (received + 1);
                if (!await(() -> takeWrite(target, expected))) {
                    break;
                }
                received++;
            }
            if (sent < plan.iterations()) {
                if (!await(this::isFree)) {
                    break;
                }
                source.set(ValueLayout.JAVA_BYTE, 0, (byte) (sent + 1));
                post();
            }
        }
        if (!plan.isTimed()) {
            await(this::isFree);
        }
        report(size, 2);
    }

    private boolean takeWrite(MemorySegment target, byte expected) {
        isFree(); // drives the device, which writes the target
        return target.get(ValueLayout.JAVA_BYTE, 0) == expected;
    }

    /** READs and atomics: nothing but the peer's device has a part in them. */
    private void ask(int size) {
        while (sent < plan.iterations()) {
            post();
            if (!await(this::isFree)) {
                break;
            }
        }
        if (!plan.isTimed() || span.isOver(System.nanoTime())) {
            sample(System.nanoTime()); // the last one ends here, not with another post
        }
        report(size, 1);
    }

    private void post() {
        long now = System.nanoTime();
        span.start(now);
        sample(now);
        lastPost = now;
        // In a WRITE test the peer watches one byte, so all messages go to one place.
        endpoint.postMessage(0, plan.operation() == PerfTest.Operation.WRITE ? 0 : sent, true);
        outstanding++;
        sent++;
    }

    private void sample(long now) {
        if (plan.isTimed()) {
            if (span.isMeasured(now)) {
                measured++;
            }
        } else if (lastPost != 0) {
            roundTrips.recordValue(now - lastPost);
        }
    }

    /** True once the message that was posted is complete. */
    private boolean isFree() {
        while (endpoint.sendCq.poll(endpoint.completion)) {
            outstanding--;
            if (!endpoint.completion.isSuccess()) {
                judge();
            }
        }
        return outstanding == 0;
    }

    /**
     * A WRITE test has no last word: the end that is done first goes. Where all that is missing is its acknowledgement of
     * the very last message, the test was whole.
     */
    private void judge() {
        boolean whole = plan.operation() == PerfTest.Operation.WRITE
                && endpoint.completion.status() == WcStatus.RETRY_EXC_ERR
                && sent == plan.iterations()
                && received == plan.iterations();
        if (!whole) {
            throw endpoint.failure(plan.title() + " message " + sent);
        }
        notes.accept("the last message was not acknowledged: the peer has gone already");
    }

    /** @return false where the time of a test with a duration is over */
    private boolean await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            if (plan.isTimed() && span.isOver(System.nanoTime())) {
                return false;
            }
            waiting.nothing();
        }
        waiting.found();
        return true;
    }

    private void report(int size, int ways) {
        results.accept(new LatencyFigures(
                size,
                plan.isTimed() ? measured : plan.iterations(),
                roundTrips,
                plan.isTimed() ? span.measuredSeconds() : 0,
                ways));
    }

    private void linger() {
        PollingPace pace = new PollingPace(endpoint.device());
        long start = System.nanoTime();
        while (!dialogue.channel().isOver() && System.nanoTime() - start < LINGER_NANOS) {
            pace.getAsBoolean();
        }
    }
}
