package org.rdma4j.tools.cm;

import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import org.rdma4j.cm.CmId;
import org.rdma4j.tools.DeviceArgument;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.Ranges;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.Progress;
import org.rdma4j.wire.PortSpace;
import picocli.CommandLine;

/** {@code rdma_server}: takes one message of 16 bytes from one client and answers it. */
@CommandLine.Command(
        name = "rdma_server",
        mixinStandardHelpOptions = true,
        description = "Takes one message of 16 bytes and answers it, as rdma-core's rdma_server does.",
        footer = {
            "",
            "Example: for a Linux client, which runs `rdma_client -s 10.0.0.1`",
            "  rdma4j rdma_server -s 10.0.0.1"
        })
public final class RdmaServerCommand implements Callable<Integer> {

    @CommandLine.Mixin
    private DeviceArgument device;

    @CommandLine.Option(names = "-s", paramLabel = "ADDR", description = "The address to listen at.")
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
        spec.commandLine().getOut().println("rdma_server: start");
        spec.commandLine().getOut().flush();
        try (DeviceArgument.OpenDevice opened = device.open(CmAddress.serving(address), Progress.THREAD);
                CmId listener = CmId.createSync(opened.context(), PortSpace.TCP)) {
            DeviceContext context = opened.context();
            listener.bind(new InetSocketAddress(context.queryGid(0).toAddress(), port));
            listener.listen(1);
            try (CmId id = listener.getRequest();
                    ShortMessages messages = new ShortMessages(id)) {
                messages.postReceive();
                id.accept();
                messages.awaitReceive();
                messages.send();
                id.disconnect();
            }
        }
        spec.commandLine().getOut().println("rdma_server: end " + ExitStatus.SUCCESS);
        return ExitStatus.SUCCESS;
    }
}
