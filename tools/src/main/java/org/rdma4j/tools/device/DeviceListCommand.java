package org.rdma4j.tools.device;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.rdma4j.link.LinkException;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.JsonText;
import org.rdma4j.verbs.DeviceContext;
import picocli.CommandLine;

/** {@code ibv_devices}: one line a device that could be opened here now. */
@CommandLine.Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = {
            "Lists the devices of this machine: one for each of its addresses (roce2), raw Ethernet ones where this user",
            "may open them (roce1, roce2eth), and a network inside a process (loop).",
            "BUSY is a device whose UDP port another process or the kernel's rxe driver has."
        },
        footer = {"", "Example:", "  rdma4j device list"})
final class DeviceListCommand implements Callable<Integer> {

    @CommandLine.Option(names = "--json", description = "The list as JSON.")
    private boolean json;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Override
    public Integer call() {
        List<Map<String, Object>> devices =
                DeviceContext.list().stream().map(DeviceListCommand::line).toList();
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.print(JsonText.of(devices));
        } else {
            out.printf("    %-32s %-8s %8s  %s%n", "device", "state", "path MTU", "GID");
            out.printf("    %-32s %-8s %8s  %s%n", "-".repeat(32), "-".repeat(8), "-".repeat(8), "-".repeat(16));
            devices.forEach(device -> out.printf(
                    "    %-32s %-8s %8s  %s%n",
                    device.get("device"), device.get("state"), device.get("active_mtu"), device.get("gid")));
        }
        out.flush();
        return ExitStatus.SUCCESS;
    }

    private static Map<String, Object> line(String name) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("device", name);
        try {
            DeviceReport report = DeviceReport.ask(name);
            line.put("state", "ACTIVE");
            line.put("active_mtu", report.port().get("active_mtu").value());
            line.put("gid", report.gids().getFirst());
        } catch (LinkException e) {
            line.put("state", e.kind() == LinkException.Kind.ADDRESS_IN_USE ? "BUSY" : "DOWN");
            line.put("active_mtu", "-");
            line.put("gid", "-");
        }
        return line;
    }
}
