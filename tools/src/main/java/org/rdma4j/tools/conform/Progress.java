package org.rdma4j.tools.conform;

import java.io.PrintWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.ToIntFunction;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Result;
import org.rdma4j.tools.conform.check.Verdict;

/** A line for each check when its last run has ended; on a terminal, how far it all is. */
final class Progress {

    private static final long QUIET_NANOS = 2_000_000_000L;

    private final PrintWriter out;
    private final int runs;
    private final ToIntFunction<Check> runsOf;
    private final long start = System.nanoTime();
    private final boolean live = isTerminal();
    private final Map<Check, Integer> done = new HashMap<>();
    private final Map<Check, Verdict> worst = new HashMap<>();
    private int finished;

    /** @param runsOf how often a check is run */
    Progress(PrintWriter out, List<Check> checks, ToIntFunction<Check> runsOf) {
        this.out = out;
        this.runs = checks.stream().mapToInt(runsOf).sum();
        this.runsOf = runsOf;
    }

    @SuppressWarnings(
            "SystemConsoleNull") // it is null where its provider's module is not among those that were resolved
    private static boolean isTerminal() {
        return System.console() != null && System.console().isTerminal();
    }

    /** A run has ended. Not for several threads. */
    void tell(Result result) {
        finished++;
        Check check = result.check();
        worst.merge(check, result.verdict(), BinaryOperator.minBy(Verdict.WORST_FIRST));
        if (done.merge(check, 1, Integer::sum) == runsOf.applyAsInt(check)) {
            clear();
            out.printf("%-14s %-9s %s%n", worst.get(check), check.id(), check.title());
            out.flush();
        }
        long passed = System.nanoTime() - start;
        if (live && passed > QUIET_NANOS) {
            long left = passed / finished * (runs - finished) / 1_000_000_000;
            System.err.print("\r" + finished + " of " + runs + " runs, " + left + " s left ");
            System.err.flush();
        }
    }

    private void clear() {
        if (live) {
            System.err.print("\r                                        \r");
            System.err.flush();
        }
    }

    void end() {
        clear();
    }
}
