package org.rdma4j.tools;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** JSON for reports: of maps (in their order), lists, text, numbers and truth values, indented for people. */
public final class JsonText {

    private static final String INDENT = "  ";

    private JsonText() {}

    /** One value and a line feed. A number that JSON has no word for, such as infinity, becomes {@code null}. */
    public static String of(Object value) {
        return text(value, "") + "\n";
    }

    private static String text(Object value, String indent) {
        return switch (value) {
            case Map<?, ?> map -> object(map, indent);
            case List<?> list -> array(list, indent);
            case Double number -> Double.isFinite(number) ? String.format(Locale.ROOT, "%.6f", number) : "null";
            case Number number -> number.toString();
            case Boolean truth -> truth.toString();
            default -> quoted(value.toString());
        };
    }

    private static String object(Map<?, ?> map, String indent) {
        String inner = indent + INDENT;
        StringJoiner members = new StringJoiner(",\n", "{\n", "\n" + indent + "}").setEmptyValue("{}");
        map.forEach((name, value) -> members.add(inner + quoted(name.toString()) + ": " + text(value, inner)));
        return members.toString();
    }

    private static String array(List<?> list, String indent) {
        String inner = indent + INDENT;
        StringJoiner elements = new StringJoiner(",\n", "[\n", "\n" + indent + "]").setEmptyValue("[]");
        list.forEach(value -> elements.add(inner + text(value, inner)));
        return elements.toString();
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int at = 0; at < text.length(); at++) {
            char character = text.charAt(at);
            if (character == '"' || character == '\\') {
                quoted.append('\\').append(character);
            } else if (character < ' ') {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) character));
            } else {
                quoted.append(character);
            }
        }
        return quoted.append('"').toString();
    }
}
