package org.rdma4j.tools.device;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.JsonText;
import picocli.CommandLine;

/** {@code ibv_devinfo -v}: limits, the port, its GIDs. */
@CommandLine.Command(
        name = "show",
        mixinStandardHelpOptions = true,
        description = {
            "Tells a device's limits, its port and its GIDs, under the names that ibv_devinfo has for them.",
            "The active MTU is the largest path MTU that the interface carries with all headers."
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
        Map<String, Object> facts = DeviceFacts.ask(device);
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.print(JsonText.of(facts));
        } else {
            out.printf("hca_id:\t%s%n", facts.get("hca_id"));
            facts.forEach((name, value) -> {
                if (!name.equals("hca_id") && !name.equals("port")) {
                    out.printf("\t%-32s%s%n", name + ":", value);
                }
            });
            port(out, (Map<?, ?>) facts.get("port"));
        }
        out.flush();
        return ExitStatus.SUCCESS;
    }

    private static void port(PrintWriter out, Map<?, ?> facts) {
        facts.forEach((name, value) -> {
            switch (name.toString()) {
                case "port" -> out.printf("\t\tport:\t%s%n", value);
                case "max_mtu", "active_mtu" ->
                    out.printf("\t\t\t%-24s%s (%d)%n", name + ":", value, DeviceFacts.mtuCode((Integer) value));
                case "max_msg_sz" -> out.printf("\t\t\t%-24s0x%x%n", name + ":", ((Number) value).longValue());
                case "pkeys" -> entries(out, "PKEY", (List<?>) value);
                case "gids" -> entries(out, "GID", withTypes((List<?>) value, (List<?>) facts.get("gid_types")));
                case "gid_types" -> {} // beside the GIDs
                default -> out.printf("\t\t\t%-24s%s%n", name + ":", value);
            }
        });
    }

    private static List<String> withTypes(List<?> gids, List<?> types) {
        return IntStream.range(0, gids.size())
                .mapToObj(index -> gids.get(index) + ", " + types.get(index))
                .toList();
    }

    private static void entries(PrintWriter out, String name, List<?> entries) {
        for (int index = 0; index < entries.size(); index++) {
            out.printf("\t\t\t%-24s%s%n", String.format("%s[%3d]:", name, index), entries.get(index));
        }
    }
}
