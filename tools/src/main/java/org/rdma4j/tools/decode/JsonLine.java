package org.rdma4j.tools.decode;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Opcode;

/** What programs read: one JSON object a line, a packet each, and the summary last. */
final class JsonLine {

    private final StringBuilder text = new StringBuilder(512);
    private boolean isFirst = true;

    private JsonLine() {}

    static String of(String file, DecodedFrame decoded) {
        JsonLine json = new JsonLine();
        json.open('{').put("type", "packet").put("file", file).put("number", decoded.number());
        json.put("time", BigDecimal.valueOf(decoded.captured().timestamp(), 9));
        if (decoded.frame() != null) {
            json.put(
                    "source",
                    NetworkHeaders.end(decoded.frame(), decoded.frame().source()));
            json.put(
                    "destination",
                    NetworkHeaders.end(decoded.frame(), decoded.frame().destination()));
            json.put("encapsulation", decoded.frame().encapsulation().text());
            json.put(
                    "opcode",
                    Opcode.name(Bth.opcode(
                            decoded.frame().segment(), decoded.frame().bthOffset())));
            json.put("icrc", decoded.icrc().text().toLowerCase(Locale.ROOT));
        }
        if (decoded.malformed() != null) {
            json.put("malformed", decoded.malformed().reason());
        }
        if (decoded.packet() != null) {
            json.put("payload", decoded.packet().payload().byteSize());
            json.put("again", decoded.place().again());
            json.put("late", decoded.place().isLate());
            json.put("gap", decoded.place().missing());
        }
        json.comments(decoded.captured().comments());
        json.headers(Headers.of(decoded));
        return json.close('}').text.toString();
    }

    static String of(String file, Summary summary) {
        JsonLine json = new JsonLine();
        json.open('{').put("type", "summary").put("file", file);
        json.put("packets", summary.packets());
        json.put("wrong_icrc", summary.wrongIcrcs());
        json.put("malformed", summary.malformed());
        json.put("again", summary.again());
        json.name("other_frames").open('{');
        for (Map.Entry<String, Long> other : summary.others().entrySet()) {
            json.put(other.getKey(), other.getValue());
        }
        return json.close('}').close('}').text.toString();
    }

    private void comments(List<String> comments) {
        if (comments.isEmpty()) {
            return;
        }
        name("comments").open('[');
        for (String comment : comments) {
            comma();
            string(comment);
        }
        close(']');
    }

    private void headers(List<Header> headers) {
        name("headers").open('[');
        for (Header header : headers) {
            comma();
            open('{').put("header", header.name());
            for (Header.Field field : header.fields()) {
                put(field.name(), field.value());
            }
            close('}');
        }
        close(']');
    }

    private JsonLine put(String name, Object value) {
        name(name);
        if (value instanceof Number || value instanceof Boolean) {
            text.append(value);
        } else {
            string(value.toString());
        }
        return this;
    }

    private JsonLine name(String name) {
        comma();
        string(name);
        text.append(':');
        return this;
    }

    private JsonLine open(char bracket) {
        text.append(bracket);
        isFirst = true;
        return this;
    }

    private JsonLine close(char bracket) {
        text.append(bracket);
        isFirst = false;
        return this;
    }

    private void comma() {
        if (!isFirst) {
            text.append(',');
        }
        isFirst = false;
    }

    private void string(String value) {
        text.append('"');
        for (int index = 0; index < value.length(); index++) {
            char each = value.charAt(index);
            if (each == '"' || each == '\\') {
                text.append('\\').append(each);
            } else if (each < ' ' || Character.isSurrogate(each)) {
                text.append(String.format(Locale.ROOT, "\\u%04x", (int) each));
            } else {
                text.append(each);
            }
        }
        text.append('"');
    }
}
