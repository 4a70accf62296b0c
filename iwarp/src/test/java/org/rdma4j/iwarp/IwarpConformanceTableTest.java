package org.rdma4j.iwarp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.rdma4j.iwarp.mpa.MpaRefusal;
import org.rdma4j.vectors.ConformanceTable;

/** Holds iWARP's rows of docs/conformance.md against the tests of this module. */
class IwarpConformanceTableTest {

    /** The groups of the catalogue that are about iWARP, and how many rows each one has. */
    private static final Map<String, Integer> GROUPS = new LinkedHashMap<>();

    static {
        GROUPS.put("MPA", 22);
        GROUPS.put("DDP", 14);
        GROUPS.put("RDP", 16);
        GROUPS.put("TRM", 6);
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
                .differences(IwarpConformanceTableTest.class, true, IwarpConformanceTableTest::displayName);
        assertTrue(differences.isEmpty(), () -> String.join("\n", differences));
    }

    @Test
    void hasARowForEachReasonToRefuseAConnection() throws IOException {
        List<String> ids = new ConformanceTable(GROUPS).ids();
        for (MpaRefusal refusal : MpaRefusal.values()) {
            assertTrue(ids.contains(refusal.id()), () -> refusal + " names " + refusal.id());
        }
    }
}
