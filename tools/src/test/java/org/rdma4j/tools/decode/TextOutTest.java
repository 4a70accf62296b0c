package org.rdma4j.tools.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.rdma4j.tools.StandardOutput;

/** Lines and text come out in their order, in the encoding of whoever reads them. */
class TextOutTest {

    private static final int LINES = 5000;

    private static String expected() {
        StringBuilder text = new StringBuilder();
        for (int line = 0; line < LINES; line++) {
            text.append("a → b ").append(line).append("\ntext → ").append(line).append('\n');
        }
        return text.toString();
    }

    private static void print(TextOut out) {
        LineText line = new LineText();
        for (int number = 0; number < LINES; number++) {
            line.add("a → b ").add(number);
            out.println(line);
            out.print("text → ");
            out.println(number);
        }
        out.flush();
    }

    private static String through(Charset charset) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        print(TextOut.to(new StandardOutput(new PrintStream(bytes, false, charset))));
        return bytes.toString(charset);
    }

    @Test
    void standardOutputOfUtf8TakesItAsItIs() {
        assertEquals(expected(), through(StandardCharsets.UTF_8));
    }

    @Test
    void standardOutputOfAnotherEncodingHasItsOwn() {
        assertEquals(expected(), through(StandardCharsets.UTF_16BE));
        assertEquals(expected().replace('→', '?'), through(StandardCharsets.US_ASCII));
    }

    @Test
    void writersAreAsGood() {
        StringWriter text = new StringWriter();
        print(TextOut.to(new PrintWriter(text)));
        assertEquals(expected(), text.toString());
    }

    @Test
    void lineThatIsLongerThanTheBufferComesWhole() {
        StringWriter text = new StringWriter();
        TextOut out = TextOut.to(new PrintWriter(text));
        String wide = "→".repeat(50_000);
        out.println(new LineText().add("before"));
        out.println(new LineText().add(wide));
        out.flush();
        assertEquals("before\n" + wide + "\n", text.toString());
    }

    @Test
    void readerThatHasGoneIsNoticed() {
        OutputStream broken = new OutputStream() {
            @Override
            public void write(int each) throws IOException {
                throw new IOException("broken pipe");
            }
        };
        for (Charset charset : new Charset[] {StandardCharsets.UTF_8, StandardCharsets.US_ASCII}) {
            TextOut out = TextOut.to(new StandardOutput(new PrintStream(broken, false, charset)));
            out.println(new LineText().add("for nobody"));
            assertTrue(out.checkError(), charset.name());
        }
    }
}
