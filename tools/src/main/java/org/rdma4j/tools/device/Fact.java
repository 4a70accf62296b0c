package org.rdma4j.tools.device;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One line of {@code ibv_devinfo}.
 *
 * @param value as JSON has it
 * @param text what stands behind the name
 * @param below what stands in the lines below it
 */
record Fact(Object value, String text, List<String> below) {

    static Fact of(Object value) {
        return new Fact(value, value.toString(), List.of());
    }

    /** A number that people read by its bits or digits. */
    static Fact hex(long value, int digits) {
        return new Fact(value, String.format("0x%0" + digits + "x", value), List.of());
    }

    /** A number that has a name. */
    static Fact named(String name, int number) {
        return new Fact(name, name + " (" + number + ")", List.of());
    }

    /** A number that counts something. */
    static Fact counted(long number, String unit) {
        return new Fact(number, number + " " + unit, List.of());
    }

    /** Bits, and the names of those that are set. */
    static Fact flags(long bits, int digits, List<String> names) {
        return new Fact(names, String.format("0x%0" + digits + "x", bits), names);
    }

    /** Names without bits. */
    static Fact names(List<String> names) {
        return new Fact(names, "", names.isEmpty() ? List.of("NO SUPPORT") : names);
    }

    /** What a software device cannot know. */
    static Fact unknown() {
        return new Fact("unknown", "unknown (0)", List.of());
    }

    static Map<String, Object> values(Map<String, Fact> facts) {
        Map<String, Object> values = new LinkedHashMap<>();
        facts.forEach((name, fact) -> values.put(name, fact.value));
        return values;
    }
}
