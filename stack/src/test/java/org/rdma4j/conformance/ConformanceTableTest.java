package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.rdma4j.trace.Rule;

/** Holds docs/conformance.md against the tests of this package, so that neither says what the other does not. */
class ConformanceTableTest {

    private static final Path TABLE = Path.of("..", "docs", "conformance.md");
    private static final Pattern IDS = Pattern.compile("((?:[A-Z]{2,3}-\\d\\d)(?:, [A-Z]{2,3}-\\d\\d)*): \\S.*");
    private static final Pattern ROW = Pattern.compile("\\| ([A-Z]{2,3}-\\d\\d) \\| (.+) \\| (.+) \\| (.+) \\|");
    private static final String NOT_YET = "not yet: ";

    /** Groups whose tests are in another module, which holds their rows. */
    private static final Set<String> HELD_BY_IWARP = Set.of("MPA", "DDP", "RDP", "TRM");

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
    }

    /** The last column of each row, by the row's id. */
    private static Map<String, String> table() throws IOException {
        Map<String, String> rows = new LinkedHashMap<>();
        for (String line : Files.readAllLines(TABLE)) {
            Matcher row = ROW.matcher(line);
            if (row.matches() && !HELD_BY_IWARP.contains(row.group(1).substring(0, 3))) {
                assertFalse(rows.containsKey(row.group(1)), () -> row.group(1) + " stands there twice");
                rows.put(row.group(1), row.group(4));
            }
        }
        return rows;
    }

    /** The tests of this package that carry an id, by it. */
    private static Map<String, SortedSet<String>> tests() throws IOException, URISyntaxException {
        Path classes = Path.of(ConformanceTableTest.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        String name = ConformanceTableTest.class.getPackageName();
        Map<String, SortedSet<String>> tests = new TreeMap<>();
        try (Stream<Path> files = Files.list(classes.resolve(name.replace('.', '/')))) {
            for (Path file : files.toList()) {
                String simpleName = file.getFileName().toString().replace(".class", "");
                if (simpleName.endsWith("Test")) {
                    collect(load(name + "." + simpleName), tests);
                }
            }
        }
        return tests;
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static void collect(Class<?> testClass, Map<String, SortedSet<String>> tests) {
        for (Method method : testClass.getDeclaredMethods()) {
            DisplayName name = method.getAnnotation(DisplayName.class);
            if (name == null) {
                continue;
            }
            String test = testClass.getSimpleName() + "." + method.getName();
            Matcher ids = IDS.matcher(name.value());
            assertTrue(ids.matches(), () -> test + " has no id in its name: " + name.value());
            for (String id : ids.group(1).split(", ")) {
                tests.computeIfAbsent(id, key -> new TreeSet<>()).add(test);
            }
        }
    }

    @Test
    void namesEachRowOfTheGroupsInOrder() throws IOException {
        List<String> all = new ArrayList<>();
        GROUPS.forEach((group, rows) -> {
            for (int row = 1; row <= rows; row++) {
                all.add(String.format("%s-%02d", group, row));
            }
        });
        assertEquals(all, List.copyOf(table().keySet()));
    }

    @Test
    void namesExactlyTheTestsOfEachRow() throws IOException, URISyntaxException {
        Map<String, SortedSet<String>> tests = tests();
        Map<String, String> table = table();
        table.forEach((id, cell) -> {
            if (cell.startsWith(NOT_YET)) {
                assertFalse(tests.containsKey(id), () -> id + " is tested by " + tests.get(id));
                assertTrue(cell.length() > NOT_YET.length() + 5, () -> id + " must say why not yet");
            } else {
                SortedSet<String> found = tests.getOrDefault(id, new TreeSet<>());
                assertEquals(
                        String.join(", ", found), cell, () -> id + ": the table must name the tests that carry it");
            }
        });
        tests.keySet().forEach(id -> assertTrue(table.containsKey(id), () -> id + " has tests and no row"));
    }

    @Test
    void hasARowForEachRuleThatTheEngineDecidesBy() throws IOException {
        Map<String, String> table = table();
        for (Rule rule : Rule.values()) {
            if (GROUPS.containsKey(rule.id().replaceAll("-.*", ""))) {
                assertTrue(table.containsKey(rule.id()), () -> rule + " names " + rule.id());
            }
        }
    }
}
