package org.rdma4j.tools;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** Standard output for text, and for those whose text is UTF-8 already. */
public final class StandardOutput extends PrintWriter {

    private final PrintStream stream;

    public StandardOutput(PrintStream stream) {
        super(stream, true);
        this.stream = stream;
    }

    /** True where whoever reads it reads UTF-8. */
    public boolean takesUtf8() {
        return stream.charset().equals(StandardCharsets.UTF_8);
    }

    /** The same output for bytes; a flush of it fails where nobody reads along any more. */
    public OutputStream bytes() {
        return new OutputStream() {
            @Override
            public void write(int each) {
                stream.write(each);
            }

            @Override
            public void write(byte[] bytes, int offset, int count) {
                stream.write(bytes, offset, count);
            }

            @Override
            public void flush() throws IOException {
                if (stream.checkError()) {
                    throw new IOException("standard output takes no more");
                }
            }
        };
    }
}
