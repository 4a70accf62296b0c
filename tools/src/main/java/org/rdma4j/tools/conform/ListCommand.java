package org.rdma4j.tools.conform;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.conform.check.Check;
import picocli.CommandLine;

/** {@code conform list}. */
@CommandLine.Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = "Lists the checks.",
        footer = {"", "Example: the checks of RNR NAKs", "  rdma4j conform list RNR"})
public final class ListCommand implements Callable<Integer> {

    @CommandLine.Parameters(arity = "0..*", paramLabel = "ID", description = "Checks or groups; default: all.")
    private List<String> ids = List.of();

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Override
    public Integer call() {
        for (Check check : Selection.of(spec, ids)) {
            spec.commandLine()
                    .getOut()
                    .printf("%-9s %-10s %s%n", check.id(), check.role().name().toLowerCase(Locale.ROOT), check.title());
        }
        return ExitStatus.SUCCESS;
    }
}
