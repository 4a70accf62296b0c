package org.rdma4j.tools.conform;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.suite.Suite;
import picocli.CommandLine;

/** The checks that words of the command line name. */
final class Selection {

    private Selection() {}

    /** By id, by the catalogue's row, or by group; no word: all. */
    static List<Check> of(CommandLine.Model.CommandSpec spec, List<String> words) {
        if (words.isEmpty()) {
            return Suite.checks();
        }
        List<Check> chosen = new ArrayList<>();
        for (String word : words) {
            List<Check> named = Suite.checks().stream()
                    .filter(check -> word.equalsIgnoreCase(check.id())
                            || word.equalsIgnoreCase(check.row())
                            || word.equalsIgnoreCase(check.group()))
                    .toList();
            if (named.isEmpty()) {
                throw new CommandLine.ParameterException(
                        spec.commandLine(), "no check or group is called \"" + word + "\"; groups are " + groups());
            }
            chosen.addAll(named);
        }
        return chosen.stream().distinct().toList();
    }

    private static String groups() {
        return Suite.checks().stream().map(Check::group).distinct().collect(Collectors.joining(", "));
    }
}
