package org.rdma4j.tools;

import picocli.CommandLine;

/** The one launcher: every command hangs below it. */
@CommandLine.Command(
        name = "rdma4j",
        mixinStandardHelpOptions = true,
        version = "rdma4j 0.1.0",
        description = "A software RDMA NIC, and what people do with one.")
public final class Main implements Runnable {

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(System.out);
    }

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Main()).execute(arguments));
    }
}
