package org.rdma4j.vectors;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * docs/conformance.md, as far as one module answers for it: its rows, and whether the tests that they name are those that
 * carry their ids.
 */
public final class ConformanceTable {

    private static final Path TABLE = Path.of("..", "docs", "conformance.md");
    private static final Pattern IDS = Pattern.compile("((?:[A-Z]{2,3}-\\d\\d)(?:, [A-Z]{2,3}-\\d\\d)*): \\S.*");
    private static final Pattern ROW = Pattern.compile("\\| ([A-Z]{2,3}-\\d\\d) \\| (.+) \\| (.+) \\| (.+) \\|");
    private static final String NOT_YET = "not yet: ";

    private final Map<String, Integer> groups;

    /** The last column of each row, by the row's id. */
    private final Map<String, String> rows = new LinkedHashMap<>();

    private final List<String> complaints = new ArrayList<>();

    /**
     * Reads the table, from a module's folder.
     *
     * @param groups those of the catalogue that the module answers for, in the table's order, and how many rows each has
     */
    public ConformanceTable(Map<String, Integer> groups) throws IOException {
        this.groups = new LinkedHashMap<>(groups);
        for (String line : Files.readAllLines(TABLE)) {
            Matcher row = ROW.matcher(line);
            if (row.matches() && isOurs(row.group(1)) && rows.put(row.group(1), row.group(4)) != null) {
                complaints.add(row.group(1) + " stands there twice");
            }
        }
    }

    private boolean isOurs(String id) {
        return groups.containsKey(group(id));
    }

    private static String group(String id) {
        return id.substring(0, id.indexOf('-'));
    }

    /** The ids of its rows, in their order. */
    public List<String> ids() {
        return List.copyOf(rows.keySet());
    }

    /** The ids that the catalogue has. */
    public List<String> catalogue() {
        List<String> all = new ArrayList<>();
        groups.forEach((group, count) -> {
            for (int row = 1; row <= count; row++) {
                all.add(String.format("%s-%02d", group, row));
            }
        });
        return all;
    }

    /**
     * Where the table and the tests say different things, a line each.
     *
     * @param anchor a class of the tests' package
     * @param below look into the packages below, too
     * @param displayName the name of a test that carries ids, {@code null} for any other method
     */
    public List<String> differences(Class<?> anchor, boolean below, Function<Method, String> displayName)
            throws IOException {
        Map<String, SortedSet<String>> tests = tests(anchor, below, displayName);
        List<String> differences = new ArrayList<>(complaints);
        rows.forEach((id, cell) -> {
            String found = String.join(", ", tests.getOrDefault(id, new TreeSet<>()));
            boolean says = cell.startsWith(NOT_YET) && cell.length() > NOT_YET.length() + 5;
            if (found.isEmpty() && !says) {
                differences.add(id + " has no tests, and does not say why not yet");
            } else if (!found.isEmpty() && !found.equals(cell)) {
                differences.add(id + " names\n    " + cell + "\nand the tests that carry it are\n    " + found);
            }
        });
        tests.forEach((id, found) -> {
            if (isOurs(id) && !rows.containsKey(id)) {
                differences.add(id + " has tests and no row: " + found);
            }
        });
        return differences;
    }

    private Map<String, SortedSet<String>> tests(Class<?> anchor, boolean below, Function<Method, String> displayName)
            throws IOException {
        Path classes = classes(anchor);
        Path start = classes.resolve(anchor.getPackageName().replace('.', '/'));
        Map<String, SortedSet<String>> tests = new TreeMap<>();
        try (Stream<Path> files = Files.walk(start, below ? Integer.MAX_VALUE : 1)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith("Test.class")).toList()) {
                String name = classes.relativize(file)
                        .toString()
                        .replace(".class", "")
                        .replace('/', '.');
                collect(load(name, anchor.getClassLoader()), displayName, tests);
            }
        }
        return tests;
    }

    private static Path classes(Class<?> anchor) {
        try {
            return Path.of(
                    anchor.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    private static Class<?> load(String name, ClassLoader loader) {
        try {
            return Class.forName(name, true, loader);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private void collect(
            Class<?> testClass, Function<Method, String> displayName, Map<String, SortedSet<String>> tests) {
        for (Method method : testClass.getDeclaredMethods()) {
            String name = displayName.apply(method);
            if (name == null) {
                continue;
            }
            String test = testClass.getSimpleName() + "." + method.getName();
            Matcher ids = IDS.matcher(name);
            if (!ids.matches()) {
                complaints.add(test + " has no id in its name: " + name);
                continue;
            }
            for (String id : ids.group(1).split(", ")) {
                tests.computeIfAbsent(id, key -> new TreeSet<>()).add(test);
            }
        }
    }
}
