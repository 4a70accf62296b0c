package org.rdma4j.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReaderTest {

    @Test
    void readsWhatJsonTextWrites() {
        Map<String, Object> value = Map.of("list", List.of(1L, "a\"b\\\n", true), "none", Map.of());
        assertEquals(value, JsonReader.read(JsonText.of(value)));
    }

    @Test
    void readsNumbersAndEscapes() {
        assertEquals(List.of(-1.5e3, 7L, "é/"), JsonReader.read("[-1.5e3, 7, \"\\u00e9\\/\"]"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[1,]",
                "{\"a\" 1}",
                "\"open",
                "[1] 2",
                "nothing",
                "{1:2}",
                "01",
                "NaN",
                "1f",
                "\"\t\"",
                "\"\\u00g0\"",
                "\"\\u+123\""
            })
    void wrongTextIsRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> JsonReader.read(text));
    }
}
