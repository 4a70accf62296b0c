package org.rdma4j.tools;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** JSON read into maps, lists, text, numbers, truth values and null: what {@link JsonText} writes, and the rest of it. */
public final class JsonReader {

    private static final String WHITE_SPACE = " \t\r\n";
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][-+]?\\d+)?");

    private final String text;
    private int at;

    private JsonReader(String text) {
        this.text = text;
    }

    /** @throws IllegalArgumentException with the place, where the text is not one JSON value */
    public static Object read(String text) {
        JsonReader reader = new JsonReader(text);
        Object value = reader.value();
        if (reader.peek() != 0) {
            throw reader.wrong("more than one value");
        }
        return value;
    }

    private IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException(what + " at character " + (at + 1));
    }

    /** The next character that is no white space; 0 at the end. */
    private char peek() {
        while (at < text.length() && WHITE_SPACE.indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : 0;
    }

    private boolean take(char wanted) {
        boolean isThere = peek() == wanted;
        at += isThere ? 1 : 0;
        return isThere;
    }

    private Object value() {
        return switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> quoted();
            default -> word();
        };
    }

    private Map<String, Object> object() {
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        if (take('}')) {
            return members;
        }
        do {
            if (peek() != '"') {
                throw wrong("a name is missing");
            }
            String name = quoted();
            if (!take(':')) {
                throw wrong("a colon is missing");
            }
            members.put(name, value());
        } while (take(','));
        if (!take('}')) {
            throw wrong("a closing brace is missing");
        }
        return members;
    }

    private List<Object> array() {
        List<Object> elements = new ArrayList<>();
        at++;
        if (take(']')) {
            return elements;
        }
        do {
            elements.add(value());
        } while (take(','));
        if (!take(']')) {
            throw wrong("a closing bracket is missing");
        }
        return elements;
    }

    private String quoted() {
        StringBuilder characters = new StringBuilder();
        for (at++; at < text.length() && text.charAt(at) != '"'; at++) {
            char character = text.charAt(at);
            if (character < ' ') {
                throw wrong("a control character");
            }
            characters.append(character == '\\' ? escaped() : character);
        }
        if (at >= text.length()) {
            throw wrong("a closing quote is missing");
        }
        at++;
        return characters.toString();
    }

    private char escaped() {
        at++;
        char kind = at < text.length() ? text.charAt(at) : 0;
        return switch (kind) {
            case '"', '\\', '/' -> kind;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                if (at + 4 >= text.length()) {
                    throw wrong("four digits are missing");
                }
                at += 4;
                yield (char) HexFormat.fromHexDigits(text, at - 3, at + 1);
            }
            default -> throw wrong("no such escape");
        };
    }

    private Object word() {
        int start = at;
        while (at < text.length() && (",]}:" + WHITE_SPACE).indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(start, at);
        return switch (word) {
            case "true" -> true;
            case "false" -> false;
            case "null" -> null;
            case "" -> throw wrong("a value is missing");
            default -> number(word);
        };
    }

    private Object number(String word) {
        if (!NUMBER.matcher(word).matches()) {
            throw wrong("no value: " + word);
        }
        return word.matches("-?\\d{1,18}") ? (Object) Long.valueOf(word) : (Object) Double.valueOf(word);
    }
}
