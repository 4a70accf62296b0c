package org.rdma4j.tools.device;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.JsonText;
import picocli.CommandLine;

/** {@code ibv_devinfo -v}: capabilities, limits, the port, its P_Keys and GIDs. */
@CommandLine.Command(
        name = "show",
        mixinStandardHelpOptions = true,
        description = {
            "Tells what ibv_devinfo -v tells: who a device is, its capabilities and limits, its port, P_Keys and GIDs,",
            "under the same names. The active MTU is the largest path MTU that the interface carries with all headers.",
            "What a device of software does not have is 0; what it cannot know, its cable's speed, is unknown."
        },
        footer = {"", "Example:", "  rdma4j device show roce2:127.0.0.1"})
final class DeviceShowCommand implements Callable<Integer> {

    @CommandLine.Parameters(paramLabel = "DEVICE", description = "Its name, such as roce2:10.0.0.1.")
    private String device;

    @CommandLine.Option(names = "--json", description = "The same as JSON.")
    private boolean json;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Override
    public Integer call() {
        DeviceReport report = DeviceReport.ask(device);
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.print(JsonText.of(report.json()));
        } else {
            report.print(out);
        }
        out.flush();
        return ExitStatus.SUCCESS;
    }
}
