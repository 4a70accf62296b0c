package org.rdma4j.tools.decode;

import java.util.Locale;

/** Pieces of SVG. */
final class SvgText {

    private final StringBuilder text = new StringBuilder();

    /** Numbers as short as they can be. */
    static String number(double value) {
        String text = String.format(Locale.ROOT, "%.2f", value);
        return text.endsWith(".00") ? text.substring(0, text.length() - 3) : text;
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    SvgText line(double x1, double y1, double x2, double y2, String style) {
        return raw("<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) + "\" y2=\""
                + number(y2) + "\" class=\"" + style + "\"/>");
    }

    SvgText text(double x, double y, String style, String words) {
        return raw("<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" class=\"" + style + "\">" + escaped(words)
                + "</text>");
    }

    SvgText rect(double x, double y, double width, double height, String style) {
        return raw("<rect x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" + number(width) + "\" height=\""
                + number(height) + "\" class=\"" + style + "\"/>");
    }

    SvgText raw(String piece) {
        text.append(piece).append('\n');
        return this;
    }

    /** What was drawn so far. */
    String pieces() {
        return text.toString();
    }

    /** The whole document around it. */
    String document(double width, double height, String css) {
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + number(width) + "\" height=\"" + number(height)
                + "\" viewBox=\"0 0 " + number(width) + " " + number(height) + "\">\n<style>" + css + "</style>\n"
                + text + "</svg>\n";
    }
}
