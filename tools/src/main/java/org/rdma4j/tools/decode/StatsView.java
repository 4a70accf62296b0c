package org.rdma4j.tools.decode;

import java.io.PrintWriter;

/** Counts only. */
final class StatsView implements View {

    private final PrintWriter out;

    StatsView(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void file(String name) {
        out.println("== " + name);
    }

    @Override
    public void packet(String file, DecodedFrame decoded) {
        // Counted by the summary.
    }

    @Override
    public void summary(String file, Decoder decoder, Summary summary) {
        summary.table().forEach(out::println);
        decoder.analyzer().end();
        FlowTableText.of(decoder.analyzer()).forEach(out::println);
        out.println();
        out.println(summary.line());
        decoder.iwarp().line().ifPresent(out::println);
    }
}
