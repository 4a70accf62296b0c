package org.rdma4j.tools;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rdma4j.link.LinkException;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

class MainTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void helpOfEveryCommandShowsAnExample() {
        List<CommandLine> commands = new ArrayList<>();
        collect(Main.commandLine(), commands);
        assertAll(commands.stream()
                .map(command -> () -> assertTrue(
                        command.getUsageMessage().contains("\nExample"),
                        command.getCommandSpec().qualifiedName())));
    }

    private static void collect(CommandLine command, List<CommandLine> all) {
        if (!command.getCommandSpec().usageMessage().hidden()) {
            all.add(command);
        }
        command.getSubcommands().values().forEach(sub -> collect(sub, all));
    }

    @Test
    void versionIsThatOfTheBuild() throws IOException {
        run(Main.commandLine(), "--version");
        String version = out.toString().lines().findFirst().orElseThrow().replace("rdma4j ", "");
        String pom = Files.readString(Path.of("pom.xml"));
        assertTrue(
                pom.contains("<version>" + version + "-SNAPSHOT<") || pom.contains("<version>" + version + "<"),
                version);
    }

    @Test
    void callWithoutCommandPrintsTheHelp() {
        assertEquals(ExitStatus.SUCCESS, run(Main.commandLine()));
        assertTrue(out.toString().startsWith("Usage: rdma4j"), out.toString());
    }

    @Test
    void oneCommandIsTheSameWithoutTheOthers() {
        for (String name : Main.commandLine().getSubcommands().keySet()) {
            CommandLine alone = Main.commandLineFor(name, "--help");
            assertEquals(Set.of(name), alone.getSubcommands().keySet());
            assertEquals(
                    Main.commandLine().getSubcommands().get(name).getUsageMessage(),
                    alone.getSubcommands().get(name).getUsageMessage());
        }
    }

    @Test
    void commandsHaveTheNamesThatTheyAreCalledBy() {
        Main.commandLine()
                .getSubcommands()
                .forEach((name, command) ->
                        assertEquals(name, command.getCommandSpec().name()));
    }

    /** decode makes its model without picocli's annotations, so its help has to say the same by itself. */
    @Test
    void optionsForHelpAndVersionAreTheSameOfEveryCommand() {
        Map<String, CommandLine> commands = Main.commandLine().getSubcommands();
        for (String option : List.of("--help", "--version")) {
            OptionSpec one = commands.get("sim").getCommandSpec().findOption(option);
            OptionSpec other = commands.get("decode").getCommandSpec().findOption(option);
            assertEquals(List.of(one.names()), List.of(other.names()));
            assertEquals(List.of(one.description()), List.of(other.description()));
            assertEquals(one.usageHelp(), other.usageHelp());
            assertEquals(one.versionHelp(), other.versionHelp());
        }
    }

    @ParameterizedTest
    @CsvSource({"-V", "--version"})
    void versionAloneNeedsNoCommand(String option) {
        assertEquals(ExitStatus.SUCCESS, run(Main.commandLineFor(option), option));
        String alone = out.toString();
        out.getBuffer().setLength(0);
        assertEquals(ExitStatus.SUCCESS, run(Main.commandLine(), option));
        assertEquals(out.toString(), alone);
        assertEquals(Set.of(), Main.commandLineFor(option).getSubcommands().keySet());
    }

    @ParameterizedTest
    @CsvSource({"nonsense", "--help", "decod"})
    void allCommandsAreKnownWhereNoneIsNamed(String argument) {
        assertEquals(
                Main.commandLine().getSubcommands().keySet(),
                Main.commandLineFor(argument).getSubcommands().keySet());
    }

    @ParameterizedTest
    @CsvSource({"nonsense", "--nonsense", "lab"})
    void wrongUsageIsOneLineAndStatusTwo(String argument) {
        assertEquals(ExitStatus.USAGE, run(Main.commandLine(), argument));
        assertTrue(err.toString().startsWith("rdma4j"), err.toString());
        assertEquals(1, err.toString().lines().count(), err.toString());
    }

    @Test
    void toolExceptionBecomesItsLineAndStatus() {
        assertEquals(3, failWith(new ToolException(ExitStatus.MISSING, "no gizmo here;\n  install one")));
        assertEquals("rdma4j fails: no gizmo here; install one\n", err.toString());
    }

    @ParameterizedTest
    @CsvSource({"UNKNOWN_DEVICE,2", "ADDRESS_IN_USE,1", "UNREACHABLE,1", "MTU,1", "UNSUPPORTED,3", "IO,1"})
    void linkExceptionChoosesTheStatusByItsKind(LinkException.Kind kind, int status) {
        assertEquals(status, failWith(new LinkException(kind, "roce2:192.0.2.1: what happened")));
        assertEquals("rdma4j fails: roce2:192.0.2.1: what happened\n", err.toString());
    }

    @Test
    void missingFileIsNamed() {
        assertEquals(ExitStatus.FAILED, failWith(new NoSuchFileException("gone.pcap")));
        assertEquals("rdma4j fails: no such file: gone.pcap\n", err.toString());
    }

    @Test
    void defectIsNamedOnOneLine() {
        assertEquals(ExitStatus.FAILED, failWith(new IllegalStateException("oops")));
        assertEquals(1, err.toString().lines().count(), err.toString());
        assertTrue(err.toString().contains("IllegalStateException: oops"), err.toString());
    }

    @Test
    void stackTraceIsShownOnlyInDebug() {
        failWith(new ToolException(ExitStatus.FAILED, "no"));
        assertFalse(err.toString().contains("\tat "), err.toString());
        CommandLine command = failing(new ToolException(ExitStatus.FAILED, "no"));
        command.setExecutionExceptionHandler(new Failures(true));
        run(command, "fails");
        assertTrue(err.toString().contains("\tat "), err.toString());
    }

    private int failWith(Exception e) {
        return run(failing(e), "fails");
    }

    private static CommandLine failing(Exception e) {
        return Main.commandLine().addSubcommand("fails", new Failing(e));
    }

    private int run(CommandLine command, String... arguments) {
        return command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
    }

    @CommandLine.Command(name = "fails")
    private record Failing(Exception e) implements Callable<Integer> {

        @Override
        public Integer call() throws Exception {
            throw e;
        }
    }
}
