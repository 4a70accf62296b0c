package org.rdma4j.tools.decode;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import org.rdma4j.tools.StandardOutput;

/** Where decode prints: text of all kinds, and lines that are UTF-8 already, which go to standard output as they are. */
final class TextOut extends PrintWriter {

    private final Utf8Writer utf8;

    private TextOut(Utf8Writer utf8) {
        super(utf8);
        this.utf8 = utf8;
    }

    /** One in front of a command's output. */
    static TextOut to(PrintWriter out) {
        boolean isUtf8 = out instanceof StandardOutput standard && standard.takesUtf8();
        return new TextOut(new Utf8Writer(isUtf8 ? ((StandardOutput) out).bytes() : new Decoded(out)));
    }

    /** Prints a line and clears it. */
    void println(LineText line) {
        line.end();
        try {
            utf8.write(line.bytes(), line.length());
        } catch (IOException _) {
            setError();
        }
        line.clear();
    }

    /** Collects text as UTF-8. */
    private static final class Utf8Writer extends Writer {

        private static final int BUFFER = 1 << 16;

        private final OutputStream out;
        private final byte[] buffer = new byte[BUFFER];
        private int length;

        Utf8Writer(OutputStream out) {
            this.out = out;
        }

        void write(byte[] text, int count) throws IOException {
            if (count > BUFFER - length) {
                drain();
            }
            if (count > BUFFER) {
                out.write(text, 0, count);
            } else {
                System.arraycopy(text, 0, buffer, length, count);
                length += count;
            }
        }

        @Override
        public void write(String text, int offset, int count) throws IOException {
            byte[] bytes = text.substring(offset, offset + count).getBytes(StandardCharsets.UTF_8);
            write(bytes, bytes.length);
        }

        @Override
        public void write(char[] chars, int offset, int count) throws IOException {
            write(new String(chars, offset, count), 0, count);
        }

        private void drain() throws IOException {
            out.write(buffer, 0, length);
            length = 0;
        }

        @Override
        public void flush() throws IOException {
            drain();
            out.flush();
        }

        @Override
        public void close() throws IOException {
            flush();
        }
    }

    /** The way to a writer. Text comes in whole pieces, so no character is cut apart. */
    private static final class Decoded extends OutputStream {

        private final PrintWriter out;

        Decoded(PrintWriter out) {
            this.out = out;
        }

        @Override
        public void write(int each) {
            throw new UnsupportedOperationException("one byte may be a part of a character");
        }

        @Override
        public void write(byte[] bytes, int offset, int count) {
            out.write(new String(bytes, offset, count, StandardCharsets.UTF_8));
        }

        @Override
        public void flush() throws IOException {
            if (out.checkError()) {
                throw new IOException("nobody reads along");
            }
        }
    }
}
