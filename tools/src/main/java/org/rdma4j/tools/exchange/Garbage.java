package org.rdma4j.tools.exchange;

import java.nio.charset.StandardCharsets;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;

/** What to say of a peer that speaks another language. */
final class Garbage {

    private static final int SHOWN = 40;

    private Garbage() {}

    static ToolException instead(String expected, byte[] bytes, String peer) {
        return new ToolException(
                ExitStatus.FAILED, "the peer " + peer + " sent no " + expected + " but \"" + printable(bytes) + "\"");
    }

    private static String printable(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (char character : new String(bytes, StandardCharsets.ISO_8859_1).toCharArray()) {
            if (text.length() >= SHOWN) {
                return text.append("...").toString();
            }
            if (character >= ' ' && character < 0x7F) {
                text.append(character);
            } else {
                text.append(String.format("\\x%02x", (int) character));
            }
        }
        return text.toString();
    }
}
