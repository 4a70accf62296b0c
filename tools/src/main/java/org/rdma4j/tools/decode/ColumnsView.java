package org.rdma4j.tools.decode;

import java.io.PrintWriter;
import java.util.List;

/** Chosen fields of each packet, as {@code tshark -T fields} prints them. */
final class ColumnsView implements View {

    private final PrintWriter out;
    private final List<String> names;

    ColumnsView(PrintWriter out, List<String> names) {
        this.out = out;
        this.names = names;
    }

    @Override
    public void file(String name) {
        // Scripts want nothing but fields.
    }

    @Override
    public void packet(String file, DecodedFrame decoded) {
        if (decoded.frame() != null) {
            out.println(WiresharkFields.line(decoded, names));
        }
    }

    @Override
    public void summary(String file, Decoder decoder, Summary summary) {
        // Nor a summary.
    }
}
