package org.rdma4j.iwarp.rdmap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Holds the rows of DDP, RDP and TRM in docs/conformance.md against the tests here, so that neither says more. */
class IwarpTableTest {

    private static final Path TABLE = Path.of("..", "docs", "conformance.md");
    private static final Pattern ROW = Pattern.compile("\\| ((?:DDP|RDP|TRM)-\\d\\d) \\| (.+) \\| (.+) \\| (.+) \\|");
    private static final Pattern NAME = Pattern.compile("((?:DDP|RDP|TRM)-\\d\\d): \\S.*");
    private static final Map<String, Integer> GROUPS = new TreeMap<>(Map.of("DDP", 14, "RDP", 16, "TRM", 6));

    private static final List<Class<?>> TESTS = List.of(
            DdpTest.class,
            RdmapResponderTest.class,
            RdmapRequesterTest.class,
            ExtensionsTest.class,
            StreamEndTest.class);

    private static Map<String, String> table() throws IOException {
        Map<String, String> rows = new TreeMap<>();
        for (String line : Files.readAllLines(TABLE)) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                String before = rows.put(row.group(1), row.group(4));
                assertEquals(null, before, () -> row.group(1) + " stands there twice");
            }
        }
        return rows;
    }

    private static Map<String, SortedSet<String>> tests() {
        Map<String, SortedSet<String>> tests = new TreeMap<>();
        for (Class<?> each : TESTS) {
            for (Method method : each.getDeclaredMethods()) {
                DisplayName name = method.getAnnotation(DisplayName.class);
                if (name != null) {
                    Matcher id = NAME.matcher(name.value());
                    assertTrue(id.matches(), name::value);
                    tests.computeIfAbsent(id.group(1), _ -> new TreeSet<>())
                            .add(each.getSimpleName() + "." + method.getName());
                }
            }
        }
        return tests;
    }

    @Test
    void namesEachRow() throws IOException {
        List<String> all = new ArrayList<>();
        GROUPS.forEach((group, rows) -> {
            for (int row = 1; row <= rows; row++) {
                all.add("%s-%02d".formatted(group, row));
            }
        });
        assertEquals(all, List.copyOf(table().keySet()));
    }

    @Test
    void namesExactlyTheTestsOfEachRow() throws IOException {
        Map<String, String> named = new TreeMap<>();
        tests().forEach((id, tests) -> named.put(id, String.join(", ", tests)));
        assertEquals(named, table());
    }
}
