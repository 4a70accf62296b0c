package org.rdma4j.tools.decode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.rdma4j.iwarp.capture.CapturedUnit;

/** A plot of PSNs over time beside whatever else is shown. */
final class PlotView implements View {

    private final View shown;
    private final Path file;
    private final PsnPlot plot = new PsnPlot();

    PlotView(View shown, Path file) {
        this.shown = shown;
        this.file = file;
    }

    @Override
    public void file(String name) {
        shown.file(name);
    }

    @Override
    public void packet(String name, DecodedFrame decoded) {
        plot.add(decoded);
        shown.packet(name, decoded);
    }

    @Override
    public void iwarp(String name, IwarpFrame frame, CapturedUnit unit) {
        shown.iwarp(name, frame, unit);
    }

    @Override
    public void summary(String name, Decoder decoder, Summary summary) {
        shown.summary(name, decoder, summary);
    }

    @Override
    public void end() throws IOException {
        Files.writeString(file, plot.document());
        shown.end();
    }
}
