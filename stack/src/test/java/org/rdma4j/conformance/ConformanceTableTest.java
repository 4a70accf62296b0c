package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.rdma4j.trace.Rule;
import org.rdma4j.vectors.ConformanceTable;

/** Holds docs/conformance.md against the tests of this package, so that neither says what the other does not. */
class ConformanceTableTest {

    /** The groups of the catalogue that are about RC, and how many rows each one has. */
    private static final Map<String, Integer> GROUPS = new LinkedHashMap<>();

    static {
        GROUPS.put("PSN", 15);
        GROUPS.put("ACK", 31);
        GROUPS.put("RNR", 17);
        GROUPS.put("RDA", 32);
        GROUPS.put("RTX", 20);
        GROUPS.put("OPS", 13);
        GROUPS.put("QPS", 18);
        GROUPS.put("KEY", 17);
        GROUPS.put("LEN", 16);
        GROUPS.put("MEM", 9);
        GROUPS.put("UD", 13);
        GROUPS.put("UC", 9);
        GROUPS.put("XRC", 3);
        GROUPS.put("EXT", 5);
        GROUPS.put("CM", 25);
        GROUPS.put("ECN", 13);
    }

    private static String displayName(Method method) {
        DisplayName name = method.getAnnotation(DisplayName.class);
        return name == null ? null : name.value();
    }

    @Test
    void namesEachRowOfTheGroupsInOrder() throws IOException {
        ConformanceTable table = new ConformanceTable(GROUPS);
        assertEquals(table.catalogue(), table.ids());
    }

    @Test
    void namesExactlyTheTestsOfEachRow() throws IOException {
        List<String> differences = new ConformanceTable(GROUPS)
                .differences(ConformanceTableTest.class, false, ConformanceTableTest::displayName);
        assertTrue(differences.isEmpty(), () -> String.join("\n", differences));
    }

    @Test
    void hasARowForEachRuleThatTheEngineDecidesBy() throws IOException {
        List<String> ids = new ConformanceTable(GROUPS).ids();
        for (Rule rule : Rule.values()) {
            if (GROUPS.containsKey(rule.id().replaceAll("-.*", ""))) {
                assertTrue(ids.contains(rule.id()), () -> rule + " names " + rule.id());
            }
        }
    }
}
