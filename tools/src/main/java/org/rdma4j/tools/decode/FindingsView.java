package org.rdma4j.tools.decode;

import java.io.PrintWriter;

/** What was found, without the packets. */
final class FindingsView implements View {

    private final PrintWriter out;

    FindingsView(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void file(String name) {
        out.println("== " + name);
    }

    @Override
    public void packet(String file, DecodedFrame decoded) {
        PacketLine.findings(decoded).forEach(out::println);
    }

    @Override
    public void summary(String file, Decoder decoder, Summary summary) {
        decoder.analyzer().end().forEach(finding -> out.println("       " + finding.line()));
        out.println(summary.line());
    }
}
