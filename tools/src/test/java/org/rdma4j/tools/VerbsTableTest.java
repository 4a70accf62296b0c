package org.rdma4j.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Holds docs/verbs.md against the code: the classes and methods that it names, their numbers, and the tests. */
class VerbsTableTest {

    private static final Path ROOT = Path.of("..");
    private static final Path TABLE = ROOT.resolve(Path.of("docs", "verbs.md"));
    private static final Pattern SECTION = Pattern.compile("## (.+)");
    private static final Pattern ROW =
            Pattern.compile("\\| (?!---)(?!C \\|)([^|]+) \\| ([^|]+) \\| ([^|]+) \\| ?([^|]*)\\|");
    private static final Pattern CORE_ROW = Pattern.compile("\\| (\\w+\\.test_\\w+) \\| ([^|]+) \\| ?([^|]*)\\|");

    /** Those of rdma-core in 2026 but for the ones of mlx5, EFA, irdma and CUDA. */
    private static final int CORE_TESTS = 231;

    private static final Pattern NUMBERED = Pattern.compile("\\w+ = (0x[0-9A-Fa-f]+|\\d+)");
    private static final Pattern TEST_METHOD = Pattern.compile("(?m)^    void (\\w+)\\(");
    private static final String NOTHING = "–";
    private static final List<String> PACKAGES = List.of(
            "org.rdma4j.verbs.", "org.rdma4j.cm.", "org.rdma4j.memory.", "org.rdma4j.link.", "org.rdma4j.wire.");

    /** Public classes of the API that stand for nothing in libibverbs or librdmacm. */
    private static final List<String> OUR_OWN = List.of(
            "AlternateRoute",
            "DeviceOptions",
            "DeviceService",
            "Progress",
            "CmException",
            "CmProvider",
            "Endpoint",
            "EndpointOwner",
            "PortTable");

    private record Row(String section, String c, List<String> ours, List<String> tests, String remark) {}

    /** A test of rdma-core's own suite. */
    private record CoreRow(String name, List<String> tests, String remark) {}

    private static final List<Row> ROWS = new ArrayList<>();
    private static final List<CoreRow> CORE_ROWS = new ArrayList<>();
    private static final Map<String, String> TEST_SOURCES = new HashMap<>();

    @BeforeAll
    static void read() throws IOException {
        String section = "";
        for (String line : Files.readAllLines(TABLE)) {
            Matcher title = SECTION.matcher(line);
            if (title.matches()) {
                section = title.group(1);
            }
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                ROWS.add(new Row(
                        section,
                        row.group(1).strip(),
                        names(row.group(2)),
                        names(row.group(3)),
                        row.group(4).strip()));
            }
        }
        for (String line : Files.readAllLines(TABLE)) {
            Matcher row = CORE_ROW.matcher(line);
            if (row.matches()) {
                CORE_ROWS.add(new CoreRow(
                        row.group(1), names(row.group(2)), row.group(3).strip()));
            }
        }
        try (Stream<Path> files = Files.walk(ROOT)) {
            for (Path file : files.filter(each -> each.toString().contains("src/test/java"))
                    .filter(each -> each.toString().endsWith("Test.java"))
                    .toList()) {
                String name = file.getFileName().toString().replace(".java", "");
                TEST_SOURCES.merge(name, Files.readString(file), String::concat);
            }
        }
    }

    private static List<String> names(String cell) {
        return cell.strip().equals(NOTHING) ? List.of() : List.of(cell.strip().split(", "));
    }

    private static Class<?> find(String name) {
        return PACKAGES.stream()
                .map(each -> {
                    try {
                        return Class.forName(each + name);
                    } catch (ClassNotFoundException e) {
                        return null;
                    }
                })
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** The public members of a class that a row may name. */
    private static boolean hasMember(Class<?> owner, String member) {
        boolean method = Arrays.stream(owner.getMethods())
                .filter(each -> each.getDeclaringClass() != Object.class)
                .map(Method::getName)
                .anyMatch(member::equals);
        return method || Arrays.stream(owner.getFields()).map(Field::getName).anyMatch(member::equals);
    }

    /** The number of an enum's constant, or the value of a constant. */
    private static long number(Class<?> owner, String member) throws ReflectiveOperationException {
        Object value = owner.getField(member).get(null);
        if (value instanceof Number number) {
            return number.longValue();
        }
        String getter = Arrays.stream(owner.getMethods())
                        .anyMatch(each -> each.getName().equals("mask"))
                ? "mask"
                : "number";
        return ((Number) owner.getMethod(getter).invoke(value)).longValue();
    }

    @TestFactory
    Stream<DynamicTest> everyRowIsTrue() {
        assertTrue(ROWS.size() > 200, () -> "only " + ROWS.size() + " rows were read");
        return ROWS.stream().map(row -> DynamicTest.dynamicTest(row.c(), () -> check(row)));
    }

    private static void check(Row row) throws ReflectiveOperationException {
        if (row.ours().isEmpty()) {
            assertTrue(row.tests().isEmpty(), "what is not there has no test");
            assertTrue(row.remark().matches("(none|not yet): \\S.{8,}"), "must say why: " + row.remark());
            return;
        }
        assertFalse(row.tests().isEmpty(), "names no test");
        for (String name : row.ours()) {
            Class<?> owner = find(name.replaceAll("\\..*", ""));
            assertNotNull(owner, () -> "there is no class " + name);
            assertTrue(Modifier.isPublic(owner.getModifiers()), () -> owner + " is not public");
            if (name.contains(".")) {
                String member = name.replaceAll(".*\\.", "");
                assertTrue(hasMember(owner, member), () -> owner + " has no public " + member);
                Matcher numbered = NUMBERED.matcher(row.c());
                if (numbered.matches()) {
                    assertEquals(Long.decode(numbered.group(1)), number(owner, member), name);
                }
            }
        }
        row.tests().forEach(VerbsTableTest::checkTest);
    }

    private static void checkTest(String test) {
        String source = TEST_SOURCES.get(test.replaceAll("\\..*", ""));
        assertNotNull(source, () -> "there is no test class of " + test);
        if (test.contains(".")) {
            String method = test.replaceAll(".*\\.", "");
            assertTrue(
                    TEST_METHOD
                            .matcher(source)
                            .results()
                            .anyMatch(each -> each.group(1).equals(method)),
                    () -> "there is no test " + test);
        }
    }

    @TestFactory
    Stream<DynamicTest> everyTestOfRdmaCoreHasItsCounterpart() {
        assertEquals(CORE_TESTS, CORE_ROWS.size());
        assertEquals(
                CORE_TESTS, CORE_ROWS.stream().map(CoreRow::name).distinct().count(), "a test stands twice");
        return CORE_ROWS.stream()
                .map(row -> DynamicTest.dynamicTest(row.name(), () -> {
                    boolean isThere = !row.tests().isEmpty();
                    assertTrue(isThere || row.remark().matches("none: \\S.{8,}"), "must say why: " + row.remark());
                    assertFalse(isThere && row.remark().startsWith("none"), "is there, and is not: " + row);
                    row.tests().forEach(VerbsTableTest::checkTest);
                }));
    }

    @Test
    void everyNameStandsOnce() {
        Map<String, String> seen = new LinkedHashMap<>();
        for (Row row : ROWS) {
            String before = seen.put(row.c(), row.section());
            assertEquals(null, before, () -> row.c() + " stands in two rows");
        }
    }

    /** Whoever adds a class to the API says what it stands for. */
    @Test
    void everyPublicClassOfTheApiIsNamed() throws IOException {
        TreeSet<String> missing = new TreeSet<>();
        for (String area : List.of("verbs", "cm")) {
            Path sources = ROOT.resolve(Path.of("stack", "src", "main", "java", "org", "rdma4j", area));
            if (Files.exists(sources)) {
                try (Stream<Path> files = Files.list(sources)) {
                    files.map(file -> file.getFileName().toString().replace(".java", ""))
                            .filter(name -> find(name) != null
                                    && Modifier.isPublic(find(name).getModifiers()))
                            .forEach(missing::add);
                }
            }
        }
        assertTrue(missing.size() > 20, missing::toString);
        ROWS.forEach(row -> row.ours().forEach(name -> missing.remove(name.replaceAll("\\..*", ""))));
        OUR_OWN.forEach(missing::remove);
        assertEquals(new TreeSet<>(), missing, "public classes that docs/verbs.md does not name");
    }
}
