package org.rdma4j.tools.decode;

import java.util.Map;
import org.rdma4j.analysis.Analyzer;
import org.rdma4j.analysis.Severity;
import org.rdma4j.iwarp.capture.CapturedUnit;

/** One line a packet; what was found is only counted. */
final class LinesView implements View {

    private final TextOut out;
    private final boolean hasFields;
    private final boolean hasPackets;
    private final PacketLine line = new PacketLine();

    /**
     * @param hasFields show all header fields, too
     * @param hasPackets false for the summary alone
     */
    LinesView(TextOut out, boolean hasFields, boolean hasPackets) {
        this.out = out;
        this.hasFields = hasFields;
        this.hasPackets = hasPackets || hasFields;
    }

    @Override
    public void file(String name) {
        out.println("== " + name);
    }

    @Override
    public void packet(String file, DecodedFrame decoded) {
        if (!hasPackets) {
            return;
        }
        if (decoded.frame() != null || decoded.malformed() != null) {
            out.println(line.of(decoded));
        }
        if (hasFields) {
            Headers.of(decoded).forEach(header -> out.println("                     " + header));
        }
    }

    @Override
    public void iwarp(String file, IwarpFrame frame, CapturedUnit unit) {
        if (!hasPackets) {
            return;
        }
        out.println(IwarpLine.of(frame, unit));
        if (hasFields) {
            IwarpHeaders.of(unit).forEach(header -> out.println("                     " + header));
        }
    }

    @Override
    public void summary(String file, Decoder decoder, Summary summary) {
        decoder.analyzer().end();
        out.println(summary.line() + found(decoder.analyzer()));
        decoder.iwarp().line().ifPresent(out::println);
    }

    /** What somebody should look at, without what is ordinary. */
    private static String found(Analyzer analyzer) {
        long errors = count(analyzer, Severity.ERROR);
        long warnings = count(analyzer, Severity.WARNING);
        return errors + warnings == 0 ? "" : "; found (--findings): " + errors + " errors, " + warnings + " warnings";
    }

    private static long count(Analyzer analyzer, Severity severity) {
        return analyzer.counts().entrySet().stream()
                .filter(entry -> entry.getKey().severity() == severity)
                .mapToLong(Map.Entry::getValue)
                .sum();
    }
}
