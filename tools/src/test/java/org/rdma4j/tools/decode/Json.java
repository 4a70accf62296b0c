package org.rdma4j.tools.decode;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks that a text is one JSON value, by taking the grammar word for word. */
public final class Json {

    private static final Pattern WORD = Pattern.compile(
            "\\s*(\"(?:[^\"\\\\\\x00-\\x1f]|\\\\[\"\\\\/bfnrt]|\\\\u[0-9a-f]{4})*\"|-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][-+]?\\d+)?"
                    + "|true|false|null|[{}\\[\\],:])\\s*");

    private final Matcher words;
    private String word;

    private Json(String text) {
        words = WORD.matcher(text);
        next();
    }

    public static void check(String text) {
        Json json = new Json(text);
        json.value();
        if (json.word != null || json.words.regionStart() < json.words.regionEnd()) {
            throw new AssertionError("more than one JSON value: " + text);
        }
    }

    private void next() {
        boolean isThere = words.regionStart() < words.regionEnd() && words.lookingAt();
        word = isThere ? words.group(1) : null;
        if (isThere) {
            words.region(words.end(), words.regionEnd());
        }
    }

    private void value() {
        switch (word) {
            case "{" -> members("}", true);
            case "[" -> members("]", false);
            case ",", ":", "}", "]" -> throw new AssertionError("a value is missing before " + word);
            case null -> throw new AssertionError("a value is missing at the end");
            default -> next();
        }
    }

    private void members(String end, boolean named) {
        next();
        while (!end.equals(word)) {
            if (named) {
                if (word == null || word.charAt(0) != '"') {
                    throw new AssertionError("a name is missing before " + word);
                }
                next();
                take(":");
            }
            value();
            if (!end.equals(word)) {
                take(",");
            }
        }
        next();
    }

    private void take(String wanted) {
        if (!wanted.equals(word)) {
            throw new AssertionError(wanted + " expected, not " + word);
        }
        next();
    }
}
