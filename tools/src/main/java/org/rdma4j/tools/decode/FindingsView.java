package org.rdma4j.tools.decode;

import java.io.PrintWriter;
import org.rdma4j.iwarp.capture.CapturedUnit;

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
        if (!decoded.findings().isEmpty()) { // of most packets there is nothing to say
            PacketLine.findings(decoded).forEach(out::println);
        }
    }

    @Override
    public void iwarp(String file, IwarpFrame frame, CapturedUnit unit) {
        if (frame.endsWith(unit)) {
            frame.findings().forEach(finding -> out.println(finding.line(frame.number())));
        }
    }

    @Override
    public void summary(String file, Decoder decoder, Summary summary) {
        decoder.analyzer().end().forEach(finding -> out.println("       " + finding.line()));
        out.println(summary.line());
        decoder.iwarp().line().ifPresent(out::println);
    }
}
