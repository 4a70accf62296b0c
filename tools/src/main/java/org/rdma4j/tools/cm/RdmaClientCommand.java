package org.rdma4j.tools.cm;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import org.rdma4j.cm.CmId;
import org.rdma4j.tools.DeviceArgument;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.Ranges;
import org.rdma4j.verbs.Progress;
import org.rdma4j.wire.PortSpace;
import picocli.CommandLine;

/** {@code rdma_client}: sends one message of 16 bytes and waits for its answer. */
@CommandLine.Command(
        name = "rdma_client",
        mixinStandardHelpOptions = true,
        description = "Sends one message of 16 bytes and waits for the answer, as rdma-core's rdma_client does.",
        footer = {"", "Example: against a Linux peer, which runs `rdma_server`", "  rdma4j rdma_client -s 10.0.0.2"})
public final class RdmaClientCommand implements Callable<Integer> {

    @CommandLine.Mixin
    private DeviceArgument device;

    @CommandLine.Option(
            names = "-s",
            paramLabel = "ADDR",
            defaultValue = "127.0.0.1",
            description = "The server's address (default: ${DEFAULT-VALUE}).")
    private String address;

    @CommandLine.Option(
            names = "-p",
            paramLabel = "PORT",
            defaultValue = "7471",
            description = "Port of the TCP port space (default: ${DEFAULT-VALUE}).")
    private int port;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Override
    public Integer call() {
        Ranges.check(spec, "-p", port, 1, 0xFFFF);
        spec.commandLine().getOut().println("rdma_client: start");
        InetAddress server = CmAddress.of(address);
        try (DeviceArgument.OpenDevice opened = device.openTowards(server, Progress.THREAD);
                CmId id = CmId.createSync(opened.context(), PortSpace.TCP)) {
            id.resolveAddress(new InetSocketAddress(server, port));
            id.resolveRoute();
            try (ShortMessages messages = new ShortMessages(id)) {
                messages.postReceive();
                id.connect();
                messages.send();
                messages.awaitReceive();
                id.disconnect();
            }
        }
        spec.commandLine().getOut().println("rdma_client: end " + ExitStatus.SUCCESS);
        return ExitStatus.SUCCESS;
    }
}
