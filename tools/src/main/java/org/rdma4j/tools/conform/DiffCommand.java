package org.rdma4j.tools.conform;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;
import org.rdma4j.tools.conform.report.JsonReport;
import picocli.CommandLine;

/** {@code conform diff}: two devices, or one before and after. */
@CommandLine.Command(
        name = "diff",
        mixinStandardHelpOptions = true,
        description = "Compares two reports that --json wrote; ends with 1 where a verdict differs.",
        footer = {"", "Example:", "  rdma4j conform diff before.json after.json"})
public final class DiffCommand implements Callable<Integer> {

    private static final String NONE = "not run";

    @CommandLine.Parameters(index = "0", paramLabel = "A.json", description = "A report.")
    private Path before;

    @CommandLine.Parameters(index = "1", paramLabel = "B.json", description = "Another one.")
    private Path after;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Override
    public Integer call() {
        Map<String, String> first = verdicts(before);
        Map<String, String> second = verdicts(after);
        Set<String> ids = new LinkedHashSet<>(first.keySet());
        ids.addAll(second.keySet());
        int differences = 0;
        for (String id : ids) {
            String one = first.getOrDefault(id, NONE);
            String other = second.getOrDefault(id, NONE);
            if (!one.equals(other)) {
                differences++;
                spec.commandLine().getOut().printf("%-9s %s -> %s%n", id, one, other);
            }
        }
        spec.commandLine().getOut().printf("%d of %d checks differ%n", differences, ids.size());
        return differences == 0 ? ExitStatus.SUCCESS : ExitStatus.FAILED;
    }

    private static Map<String, String> verdicts(Path file) {
        try {
            return JsonReport.verdicts(Files.readString(file));
        } catch (IOException e) {
            throw new ToolException(ExitStatus.FAILED, "cannot read " + file + ": " + e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new ToolException(ExitStatus.FAILED, file + " is no report of rdma4j conform: " + e.getMessage(), e);
        }
    }
}
