package org.rdma4j.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** A command with a model made by hand behaves as its twin with annotations. */
class PlainModelTest {

    /** Prints what it was given. */
    @CommandLine.Command(name = "twin", mixinStandardHelpOptions = true)
    private static class Annotated implements Callable<Integer> {

        @CommandLine.Spec
        private CommandSpec spec;

        @CommandLine.Parameters(arity = "1..*", paramLabel = "FILE", description = "Files.")
        private List<String> files;

        @CommandLine.Option(
                names = {"-q", "--quiet"},
                description = "Says less.")
        private boolean quiet;

        @CommandLine.Option(names = "--port", paramLabel = "N", description = "A number.")
        private int port = 4791;

        @CommandLine.Option(names = "--plot", paramLabel = "FILE", description = "A picture.")
        private Path plot;

        @CommandLine.Option(names = "--names", paramLabel = "A", split = ",", description = "Names.")
        private List<String> names = List.of();

        @CommandLine.Option(names = "--pairs", paramLabel = "K=V", split = ",", description = "Pairs.")
        private Map<String, String> pairs = Map.of();

        @Override
        public Integer call() {
            spec.commandLine()
                    .getOut()
                    .println(files + " " + quiet + " " + port + " " + plot + " " + names + " " + pairs);
            return 0;
        }
    }

    private static final class Plain implements Callable<Integer> {

        private final CommandSpec spec = PlainModel.command("twin", this);
        private List<String> files;
        private boolean quiet;
        private int port = 4791;
        private Path plot;
        private List<String> names = List.of();
        private Map<String, String> pairs = Map.of();

        private CommandSpec model() {
            spec.addPositional(PlainModel.arguments(value -> files = value)
                    .paramLabel("FILE")
                    .description("Files.")
                    .build());
            spec.addOption(PlainModel.flag(value -> quiet = value, "-q", "--quiet")
                    .description("Says less.")
                    .build());
            spec.addOption(PlainModel.option(int.class, port, value -> port = value, "--port")
                    .paramLabel("N")
                    .description("A number.")
                    .build());
            spec.addOption(PlainModel.option(Path.class, null, value -> plot = value, "--plot")
                    .paramLabel("FILE")
                    .description("A picture.")
                    .build());
            spec.addOption(PlainModel.list(value -> names = value, "--names")
                    .paramLabel("A")
                    .description("Names.")
                    .build());
            spec.addOption(PlainModel.map(value -> pairs = value, "--pairs")
                    .paramLabel("K=V")
                    .description("Pairs.")
                    .build());
            return spec;
        }

        @Override
        public Integer call() {
            spec.commandLine()
                    .getOut()
                    .println(files + " " + quiet + " " + port + " " + plot + " " + names + " " + pairs);
            return 0;
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "a b -q",
                "--quiet=false a",
                "--port 7 --plot p.svg a",
                "--names a,b --names=c d",
                "--names a --pairs k=v,l=w --pairs m=x d",
                "--help",
                "-V",
                "",
                "--port",
                "--port x a",
                "--port 1 --port 2 a",
                "-q -q a",
                "--pairs k a",
                "--names",
                "--nothing a",
                "--qui a",
            })
    void behavesAsWithAnnotations(String arguments) {
        assertEquals(
                run(new CommandLine(new Annotated()), arguments), run(new CommandLine(new Plain().model()), arguments));
    }

    @Test
    void secondCallStartsAnew() {
        CommandLine line = new CommandLine(new Plain().model());
        run(line, "-q --port 1 --names a --pairs k=v a");
        assertEquals("0 [b] false 4791 null [] {}\n", run(line, "b"));
    }

    private static String run(CommandLine line, String arguments) {
        StringWriter out = new StringWriter();
        line.setOut(new PrintWriter(out)).setErr(new PrintWriter(out));
        int status = line.execute(arguments.isEmpty() ? new String[0] : arguments.split(" "));
        return status + " " + out;
    }
}
