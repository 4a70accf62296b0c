package org.rdma4j.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/** Runs the lab's script, {@code tools/lab/lab} of the checkout, as if it had been called itself: same streams, same status. */
@CommandLine.Command(
        name = "lab",
        mixinStandardHelpOptions = true,
        description = {
            "Real Linux rxe and siw peers in emulated guests: no hardware, no KVM, no kernel module on this host.",
            "Needs root on Debian 12. \"rdma4j lab help\" tells all of it."
        },
        customSynopsis = {
            "rdma4j lab check|build",
            "       rdma4j lab up [N]",
            "       rdma4j lab run G CMD...",
            "       rdma4j lab host CMD...",
            "       rdma4j lab netem G [rxe|siw] SPEC|off",
            "       rdma4j lab record NAME rxe|siw SERVER CLIENT [SPEC]",
            "       rdma4j lab down"
        },
        footer = {
            "",
            "Example: two guests, and a ping-pong between them",
            "  rdma4j lab up 2",
            "  rdma4j lab run 1 ibv_rc_pingpong -d rxe0 -g 1 &",
            "  rdma4j lab run 2 ibv_rc_pingpong -d rxe0 -g 1 10.77.0.2",
            "  rdma4j lab down"
        })
final class LabCommand implements Callable<Integer> {

    @CommandLine.Parameters(index = "0", paramLabel = "COMMAND", description = "what to do; see above")
    private String command;

    @CommandLine.Parameters(index = "1..*", paramLabel = "ARG", description = "handed on as they are, options too")
    private List<String> arguments = List.of();

    /** Options after the first word belong to the script or to the command that it runs. */
    @CommandLine.Spec
    void spec(CommandLine.Model.CommandSpec spec) {
        spec.parser().stopAtPositional(true);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(script().toString(), command));
        line.addAll(arguments);
        Process process = new ProcessBuilder(line).inheritIO().start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
        return process.waitFor();
    }

    private static Path script() {
        String home = System.getProperty("rdma4j.home");
        if (home == null) {
            throw new ToolException(
                    ExitStatus.MISSING, "the lab is part of a checkout of rdma4j: start it by the rdma4j script there");
        }
        Path script = Path.of(home, "tools", "lab", "lab");
        if (!Files.isExecutable(script)) {
            throw new ToolException(ExitStatus.MISSING, "no lab script at " + script);
        }
        return script;
    }
}
