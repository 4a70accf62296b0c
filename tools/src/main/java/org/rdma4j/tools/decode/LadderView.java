package org.rdma4j.tools.decode;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.rdma4j.analysis.Finding;
import org.rdma4j.iwarp.capture.CapturedUnit;
import org.rdma4j.trace.Ladder;
import org.rdma4j.trace.Rule;
import org.rdma4j.trace.RuleComment;

/** Conversations as ladder diagrams, in text or as a picture. */
final class LadderView implements View {

    private final PrintWriter out;
    private final SvgLadder picture;
    private final Path file;
    private Ladder ladder;
    private IwarpLadder iwarp;

    private LadderView(PrintWriter out, SvgLadder picture, Path file) {
        this.out = out;
        this.picture = picture;
        this.file = file;
        begin(picture == null ? Ladder.numbered(out::println) : new Ladder(picture));
    }

    private void begin(Ladder fresh) {
        ladder = fresh;
        iwarp = new IwarpLadder(fresh);
    }

    static LadderView text(PrintWriter out) {
        return new LadderView(out, null, null);
    }

    static LadderView picture(Path file) {
        return new LadderView(null, new SvgLadder(), file);
    }

    @Override
    public void file(String name) {
        if (picture == null) {
            out.println("== " + name);
            begin(Ladder.numbered(out::println));
        }
    }

    @Override
    public void iwarp(String name, IwarpFrame frame, CapturedUnit unit) {
        iwarp.unit(frame.number(), frame.captured().timestamp(), frame.tcp(), unit);
        if (frame.endsWith(unit)) {
            frame.findings().forEach(finding -> ladder.below(finding.line()));
            frame.captured().comments().forEach(ladder::below);
        }
    }

    @Override
    public void packet(String name, DecodedFrame decoded) {
        if (decoded.frame() == null) {
            if (decoded.malformed() != null) {
                ladder.note("frame " + decoded.number() + " malformed: "
                        + decoded.malformed().reason());
            } else {
                decoded.findings().forEach(finding -> ladder.note("frame " + decoded.number() + " " + finding.line()));
            }
            return;
        }
        Rule noted = RuleComment.find(decoded.captured().comments()).orElse(null);
        Rule decision = noted == null && decoded.icrc() == IcrcVerdict.WRONG ? Rule.ICRC_MISMATCH : noted;
        ladder.packet(
                decoded.number(),
                decoded.captured().timestamp(),
                decoded.frame(),
                decision,
                decoded.place(),
                decoded.findings());
        for (String comment : decoded.captured().comments()) {
            if (RuleComment.find(List.of(comment)).isEmpty()) {
                ladder.below(comment);
            }
        }
    }

    @Override
    public void summary(String name, Decoder decoder, Summary summary) {
        for (Finding finding : decoder.analyzer().end()) {
            ladder.note(finding.line());
        }
        if (picture == null) {
            out.println(summary.line());
            decoder.iwarp().line().ifPresent(out::println);
        }
    }

    @Override
    public void end() throws IOException {
        if (picture != null) {
            Files.writeString(file, picture.document());
        }
    }
}
