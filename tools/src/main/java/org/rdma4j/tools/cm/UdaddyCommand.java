package org.rdma4j.tools.cm;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.rdma4j.cm.CmEventType;
import org.rdma4j.tools.DeviceArgument;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.verbs.Progress;
import org.rdma4j.wire.PortSpace;
import picocli.CommandLine;

/** {@code udaddy}: its options, its datagrams, its lines. */
@CommandLine.Command(
        name = "udaddy",
        mixinStandardHelpOptions = true,
        description = {
            "Asks by rdma_cm where datagrams go and sends some both ways, as udaddy does and with it.",
            "Without -s it is the server."
        },
        footer = {"", "Example: against a Linux peer, which runs `udaddy`", "  rdma4j udaddy -s 10.0.0.2"})
public final class UdaddyCommand implements Callable<Integer> {

    /** udaddy's; its port cannot be chosen. */
    private static final int PORT = 7174;

    @CommandLine.Mixin
    private DeviceArgument device;

    @CommandLine.Mixin
    private CmOptions options;

    @Override
    public Integer call() {
        options.checkRanges();
        options.range("-S", options.size, 1, 4096);
        if (options.server == null) {
            serve();
        } else {
            connect(CmAddress.of(options.server));
        }
        options.print("return status %d", ExitStatus.SUCCESS);
        return ExitStatus.SUCCESS;
    }

    private void serve() {
        List<UdaddyNode> nodes = new ArrayList<>();
        try (DeviceArgument.OpenDevice opened = device.open(CmAddress.serving(options.bind), Progress.THREAD);
                CmEnd listener = CmEnd.listening(opened.context(), PortSpace.UDP, PORT, options.connections)) {
            options.print("udaddy: starting server");
            try {
                for (int index = 0; index < options.connections; index++) {
                    UdaddyNode node = new UdaddyNode(
                            CmEnd.of(listener.expect(CmEventType.CONNECT_REQUEST)), options.messages, options.size);
                    nodes.add(node);
                    node.accept();
                }
                options.print("receiving data transfers");
                nodes.forEach(UdaddyNode::receive);
                options.print("sending replies");
                nodes.forEach(UdaddyNode::send);
                options.print("data transfers complete");
            } finally {
                nodes.forEach(UdaddyNode::close);
            }
        }
    }

    private void connect(InetAddress server) {
        List<UdaddyNode> nodes = new ArrayList<>();
        try (DeviceArgument.OpenDevice opened = device.openTowards(server, Progress.THREAD)) {
            options.print("udaddy: starting client");
            options.print("udaddy: connecting");
            try {
                for (int index = 0; index < options.connections; index++) {
                    UdaddyNode node = new UdaddyNode(
                            CmEnd.towards(opened.context(), PortSpace.UDP, new InetSocketAddress(server, PORT), 0),
                            options.messages,
                            options.size);
                    nodes.add(node);
                    node.connect();
                }
                options.print("initiating data transfers");
                nodes.forEach(UdaddyNode::send);
                options.print("receiving data transfers");
                nodes.forEach(UdaddyNode::receive);
                options.print("data transfers complete");
                options.print("test complete");
            } finally {
                nodes.forEach(UdaddyNode::close);
            }
        }
    }
}
