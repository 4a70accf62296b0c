package org.rdma4j.tools.decode;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/** A header's fields by their names, in their order on the wire. */
final class Header {

    /**
     * A field.
     *
     * @param value a {@link Number}, a {@link Boolean} or a {@link String}, as a program wants to read it
     * @param note what the value means in words; empty where it speaks for itself
     */
    record Field(String name, Object value, String note) {}

    private final String name;
    private final List<Field> fields = new ArrayList<>();

    Header(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    List<Field> fields() {
        return fields;
    }

    Header number(String field, long value) {
        fields.add(new Field(field, value, ""));
        return this;
    }

    Header number(String field, long value, String note) {
        fields.add(new Field(field, value, note));
        return this;
    }

    /** A number that people write in hexadecimal digits, as many as the field has. */
    Header hex(String field, long value, int digits) {
        return hex(field, value, digits, "");
    }

    Header hex(String field, long value, int digits, String note) {
        fields.add(new Field(field, "0x" + HexFormat.of().toHexDigits(value, digits), note));
        return this;
    }

    Header bit(String field, boolean value) {
        fields.add(new Field(field, value, ""));
        return this;
    }

    Header text(String field, String value) {
        fields.add(new Field(field, value, ""));
        return this;
    }

    Header text(String field, String value, String note) {
        fields.add(new Field(field, value, note));
        return this;
    }

    /** {@code BTH  OpCode 4 (RC SEND_ONLY)  SE 0 …} */
    @Override
    public String toString() {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-13s", name));
        for (Field field : fields) {
            Object value = field.value instanceof Boolean bit ? (bit ? "1" : "0") : field.value;
            line.append("  ").append(field.name).append(' ').append(value);
            if (!field.note.isEmpty()) {
                line.append(" (").append(field.note).append(')');
            }
        }
        return line.toString();
    }
}
