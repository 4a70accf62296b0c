package org.rdma4j.tools.cm;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.rdma4j.cm.CmEventType;
import org.rdma4j.tools.DeviceArgument;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.Progress;
import org.rdma4j.wire.PortSpace;
import picocli.CommandLine;

/** {@code ucmatose}: its options, its messages, its lines. */
@CommandLine.Command(
        name = "cmatose",
        mixinStandardHelpOptions = true,
        description = {
            "Makes many connections by rdma_cm and sends messages both ways, as ucmatose does and with it.",
            "Without -s it is the server."
        },
        footer = {
            "",
            "Example: against a Linux peer, which runs `ucmatose -c 100`",
            "  rdma4j cmatose -s 10.0.0.2 -c 100"
        })
public final class CmatoseCommand implements Callable<Integer> {

    @CommandLine.Mixin
    private DeviceArgument device;

    @CommandLine.Mixin
    private CmOptions options;

    @CommandLine.Option(
            names = "-p",
            paramLabel = "PORT",
            defaultValue = "7471",
            description = "Port of the TCP port space (default: ${DEFAULT-VALUE}).")
    private int port;

    @CommandLine.Option(
            names = "-t",
            paramLabel = "TOS",
            defaultValue = "0",
            description = "Type of service of the connections' packets (default: ${DEFAULT-VALUE}).")
    private int tos;

    @Override
    public Integer call() {
        options.checkRanges();
        options.range("-p", port, 1, 0xFFFF);
        options.range("-t", tos, 0, 0xFF);
        if (options.server == null) {
            serve();
        } else {
            connect(CmAddress.of(options.server));
        }
        options.print("return status %d", ExitStatus.SUCCESS);
        return ExitStatus.SUCCESS;
    }

    private void serve() {
        try (DeviceArgument.OpenDevice opened = device.open(CmAddress.serving(options.bind), Progress.THREAD);
                CmEnd listener = CmEnd.listening(opened.context(), PortSpace.TCP, port, options.connections)) {
            options.print("cmatose: starting server");
            List<CmatoseNode> nodes = new ArrayList<>();
            try {
                for (int index = 0; index < options.connections; index++) {
                    CmatoseNode node = new CmatoseNode(
                            CmEnd.of(listener.expect(CmEventType.CONNECT_REQUEST)), options.messages, options.size);
                    nodes.add(node);
                    node.accept();
                }
                if (options.messages > 0) {
                    options.print("initiating data transfers");
                    nodes.forEach(CmatoseNode::send);
                    options.print("receiving data transfers");
                    nodes.forEach(CmatoseNode::receive);
                    options.print("data transfers complete");
                }
                options.print("cmatose: disconnecting");
                nodes.forEach(CmatoseNode::disconnect);
                options.print("disconnected");
            } finally {
                nodes.forEach(CmatoseNode::close);
            }
        }
    }

    private void connect(InetAddress server) {
        try (DeviceArgument.OpenDevice opened = device.openTowards(server, Progress.THREAD)) {
            options.print("cmatose: starting client");
            options.print("cmatose: connecting");
            List<CmatoseNode> nodes = new ArrayList<>();
            try {
                open(opened.context(), new InetSocketAddress(server, port), nodes::add);
                if (options.messages > 0) {
                    options.print("receiving data transfers");
                    nodes.forEach(CmatoseNode::receive);
                    options.print("sending replies");
                    nodes.forEach(CmatoseNode::send);
                    options.print("data transfers complete");
                }
                nodes.forEach(CmatoseNode::awaitDisconnected);
                options.print("test complete");
            } finally {
                nodes.forEach(CmatoseNode::close);
            }
        }
    }

    private void open(DeviceContext context, InetSocketAddress server, Consumer<CmatoseNode> made) {
        for (int index = 0; index < options.connections; index++) {
            CmatoseNode node =
                    new CmatoseNode(CmEnd.towards(context, PortSpace.TCP, server, tos), options.messages, options.size);
            made.accept(node);
            node.connect();
        }
    }
}
