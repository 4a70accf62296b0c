package org.rdma4j.tools.decode;

import java.io.PrintWriter;
import org.rdma4j.iwarp.capture.CapturedUnit;

/** One JSON object a line: packets, then flows, then the summary of a file. */
final class JsonView implements View {

    private final PrintWriter out;

    JsonView(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void file(String name) {
        // Each line names its file.
    }

    @Override
    public void packet(String file, DecodedFrame decoded) {
        out.println(JsonLine.of(file, decoded));
    }

    @Override
    public void iwarp(String file, IwarpFrame frame, CapturedUnit unit) {
        out.println(JsonLine.of(file, frame, unit));
    }

    @Override
    public void summary(String file, Decoder decoder, Summary summary) {
        decoder.analyzer().flows().forEach(flow -> out.println(JsonLine.of(file, flow)));
        out.println(JsonLine.of(file, summary));
    }
}
