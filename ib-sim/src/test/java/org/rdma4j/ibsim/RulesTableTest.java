package org.rdma4j.ibsim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.rdma4j.ibsim.fabric.FabricRule;

/** Holds the table of docs/ib-sim.md against the tests that it names and the rules that packets are dropped by. */
class RulesTableTest {

    private static final Path TABLE = Path.of("..", "docs", "ib-sim.md");
    private static final Path TESTS = Path.of("src", "test", "java");
    private static final Pattern ROW = Pattern.compile("\\| ((?:CRC|FAB|SMP|ECN)-\\d\\d) \\| [^|]+ \\| ([^|]+) \\|");
    private static final Pattern TEST = Pattern.compile("(\\w+Test)(?:\\.(\\w+))?");

    private static Map<String, String> rows() throws IOException {
        Map<String, String> rows = new TreeMap<>();
        for (String line : Files.readAllLines(TABLE)) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                rows.put(row.group(1), row.group(2));
            }
        }
        return rows;
    }

    @Test
    void everyRowOfTheCatalogueIsThere() throws IOException {
        TreeSet<String> expected = new TreeSet<>(List.of("CRC-09", "CRC-10", "CRC-11", "ECN-06", "ECN-13"));
        for (int number = 1; number <= 16; number++) {
            expected.add("FAB-%02d".formatted(number));
        }
        for (int number = 1; number <= 10; number++) {
            expected.add("SMP-%02d".formatted(number));
        }
        assertEquals(expected, new TreeSet<>(rows().keySet()));
    }

    @Test
    void everyTestThatIsNamedIsThere() throws IOException {
        Map<String, String> sources = new TreeMap<>();
        try (Stream<Path> files = Files.walk(TESTS)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith("Test.java")).toList()) {
                sources.put(file.getFileName().toString().replace(".java", ""), Files.readString(file));
            }
        }
        List<String> missing = new ArrayList<>();
        rows().forEach((row, tests) -> {
            Matcher test = TEST.matcher(tests);
            int named = 0;
            while (test.find()) {
                named++;
                String source = sources.get(test.group(1));
                if (source == null || test.group(2) != null && !source.contains("void " + test.group(2) + "(")) {
                    missing.add(row + ": " + test.group());
                }
            }
            assertTrue(named > 0, row + " names no test");
        });
        assertEquals(List.of(), missing);
    }

    @Test
    void everyRuleThatDropsAPacketHasItsRow() throws IOException {
        Map<String, String> rows = rows();
        for (FabricRule rule : FabricRule.values()) {
            assertTrue(rows.containsKey(rule.id()), rule + " is of row " + rule.id());
        }
    }
}
