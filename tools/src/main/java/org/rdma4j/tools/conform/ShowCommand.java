package org.rdma4j.tools.conform;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Variant;
import picocli.CommandLine;

/** {@code conform show}: a check's card. */
@CommandLine.Command(
        name = "show",
        mixinStandardHelpOptions = true,
        description = "Tells what a check does and what it asks for.",
        footer = {"", "Example:", "  rdma4j conform show PSN-01"})
public final class ShowCommand implements Callable<Integer> {

    @CommandLine.Parameters(arity = "1..*", paramLabel = "ID", description = "Checks or groups.")
    private List<String> ids;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Override
    public Integer call() {
        Selection.of(spec, ids).forEach(this::show);
        return ExitStatus.SUCCESS;
    }

    private void show(Check check) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(check);
        line("role", check.role().name().toLowerCase(Locale.ROOT));
        line("clause", check.clause());
        line("peer runs", check.program().isEmpty() ? "no ordinary program" : check.program());
        line("stimulus", check.stimulus());
        line("answer", check.answer());
        if (!check.options().isEmpty()) {
            line("left open", String.join("; ", check.options()));
        }
        if (check.needs() != null) {
            line("inside", check.needs());
        }
        for (Variant variant : check.variants()) {
            line("variant", variant.toString());
        }
        out.println();
    }

    private void line(String what, String text) {
        spec.commandLine().getOut().printf("  %-10s %s%n", what, text);
    }
}
