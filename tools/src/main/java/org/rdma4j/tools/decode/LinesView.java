package org.rdma4j.tools.decode;

import java.io.PrintWriter;

/** One line a packet, and below it what was found in it. */
final class LinesView implements View {

    private final PrintWriter out;
    private final boolean hasFields;
    private final boolean hasPackets;

    /**
     * @param hasFields show all header fields, too
     * @param hasPackets false for the summary alone
     */
    LinesView(PrintWriter out, boolean hasFields, boolean hasPackets) {
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
            out.println(PacketLine.of(decoded));
        }
        if (hasFields) {
            Headers.of(decoded).forEach(header -> out.println("                     " + header));
        }
        if (decoded.malformed() == null) { // or the line says it
            PacketLine.findings(decoded).forEach(out::println);
        }
    }

    @Override
    public void summary(String file, Decoder decoder, Summary summary) {
        if (hasPackets) {
            decoder.analyzer().end().forEach(finding -> out.println("       " + finding.line()));
        }
        out.println(summary.line());
    }
}
