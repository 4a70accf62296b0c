package org.rdma4j.tools.perf;

/** Posts the receives of a bandwidth test and counts what arrives. */
final class Receiver {

    private final Endpoint endpoint;
    private final Plan plan;
    private final Span span;
    private final Meter meter;
    private final long[] posted;
    private final int[] taken;

    Receiver(Endpoint endpoint, Plan plan, int size, Span span) {
        this.endpoint = endpoint;
        this.plan = plan;
        this.span = span;
        this.meter = new Meter(plan, size, span, false);
        this.posted = new long[endpoint.count()];
        this.taken = new int[endpoint.count()];
    }

    Meter meter() {
        return meter;
    }

    /** Fills the receive queues: before the peer is told to begin. */
    void prepare() {
        for (int index = 0; index < posted.length; index++) {
            while (posted[index] < plan.receivesEach()) {
                endpoint.postReceive(index, posted[index]++);
            }
        }
    }

    /** Messages that have not come. */
    long missing() {
        return (long) plan.iterations() * endpoint.count() - meter.completed();
    }

    boolean isDone(long now) {
        return plan.isTimed() ? span.isOver(now) : meter.completed() == (long) plan.iterations() * endpoint.count();
    }

    /** Takes what has arrived. @return false where that was nothing */
    boolean step() {
        boolean worked = false;
        while (endpoint.poll(endpoint.receiveCq, "receive " + (meter.completed() + 1))) {
            long now = System.nanoTime();
            span.start(now);
            if (meter.completed() == 0) {
                meter.posted(now);
            }
            meter.completed(now, 1);
            int index = (int) endpoint.completion.wrId();
            if (posted[index] < plan.iterations()) {
                endpoint.postReceive(index, posted[index]++);
            }
            endpoint.taken(index, ++taken[index]);
            worked = true;
        }
        endpoint.takeTold();
        return worked;
    }
}
