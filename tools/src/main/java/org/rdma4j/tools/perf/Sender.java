package org.rdma4j.tools.perf;

/** Posts the messages of a bandwidth test, as many as the depth allows, and takes their completions. */
final class Sender {

    private final Endpoint endpoint;
    private final Plan plan;
    private final Span span;
    private final Meter meter;
    private final int[] posted;
    private final int[] completed;
    private final int size;
    private long messages;
    private long start;

    Sender(Endpoint endpoint, Plan plan, int size, Span span) {
        this.endpoint = endpoint;
        this.plan = plan;
        this.span = span;
        this.size = size;
        this.meter = new Meter(plan, size, span, plan.peak());
        this.posted = new int[endpoint.count()];
        this.completed = new int[endpoint.count()];
    }

    Meter meter() {
        return meter;
    }

    boolean isDone(long now) {
        return plan.isTimed() ? span.isOver(now) : meter.completed() == (long) plan.iterations() * endpoint.count();
    }

    /** Does what can be done now. @return false where that was nothing */
    boolean step() {
        boolean worked = false;
        for (int index = 0; index < posted.length; index++) {
            while (mayPost(index)) {
                long now = System.nanoTime();
                span.start(now);
                for (int item = 0; item < plan.postList(); item++) {
                    meter.posted(now);
                    messages++;
                    int number = posted[index]++;
                    endpoint.postMessage(index, number, isSignaled(number));
                }
                worked = true;
            }
        }
        while (endpoint.poll(endpoint.sendCq, plan.title())) {
            take((int) endpoint.completion.wrId());
            worked = true;
        }
        return worked;
    }

    private boolean mayPost(int index) {
        return posted[index] - completed[index] + plan.postList() <= plan.txDepth()
                && posted[index] < plan.iterations()
                && endpoint.allows(index, posted[index] + plan.postList())
                && !(plan.isTimed() && span.isOver(System.nanoTime()))
                && (plan.rateLimit() == null || isInTime());
    }

    private boolean isInTime() {
        long now = System.nanoTime();
        if (messages == 0) {
            start = now;
        }
        return messages + plan.postList()
                <= Math.max(plan.postList(), plan.rateLimit().allowed(size, now - start));
    }

    private boolean isSignaled(int number) {
        return (number + 1) % plan.cqMod() == 0 || number + 1 == plan.iterations();
    }

    private void take(int index) {
        int count = Math.min(plan.cqMod(), plan.iterations() - completed[index]);
        completed[index] += count;
        meter.completed(System.nanoTime(), count);
    }
}
