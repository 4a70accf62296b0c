package org.rdma4j.tools.decode;

import org.rdma4j.iwarp.capture.CapturedUnit;

/** One JSON object a line: packets, then flows, then the summary of a file. */
final class JsonView implements View {

    private final TextOut out;
    private final JsonLine line = new JsonLine();

    JsonView(TextOut out) {
        this.out = out;
    }

    @Override
    public void file(String name) {
        // Each line names its file.
    }

    @Override
    public void packet(String file, DecodedFrame decoded) {
        out.println(line.of(file, decoded));
    }

    @Override
    public void iwarp(String file, IwarpFrame frame, CapturedUnit unit) {
        out.println(line.of(file, frame, unit));
    }

    @Override
    public void summary(String file, Decoder decoder, Summary summary) {
        decoder.analyzer().flows().forEach(flow -> out.println(line.of(file, flow)));
        out.println(line.of(file, summary));
    }
}
