package org.rdma4j.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.Progress;
import org.rdma4j.wire.IpText;
import picocli.CommandLine;

/** The option {@code -d} and those of {@link WireArgument}, for every command that works on one device. */
public final class DeviceArgument {

    /** What a server opens where nothing is said. */
    public static final String NEAR = "roce2:127.0.0.1";

    private static final String FAR = "roce2:127.0.0.2";

    /** Nothing is sent there: the kernel only looks up the route. */
    private static final int ANY_PORT = 9;

    @CommandLine.Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "DEVICE",
            description = {
                "The device, such as roce2:10.0.0.1. Default: a server takes " + NEAR + ", a client " + FAR,
                "or, where HOST is another machine, the address that leads there."
            })
    private String name;

    @CommandLine.Mixin
    private WireArgument wire;

    /** True where the user named a device. */
    public boolean isGiven() {
        return name != null;
    }

    /** The client's device: the one that was named, else the one at the address that leads to the server. */
    public OpenDevice openTowards(InetAddress server, Progress progress) {
        return wire.open(name == null ? towards(server) : name, progress);
    }

    /** What a client opens where nothing is said: the device at the address that leads to the server. */
    public static String towards(InetAddress server) {
        if (server.isLoopbackAddress()) {
            return FAR;
        }
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(new InetSocketAddress(server, ANY_PORT));
            return "roce2:" + IpText.of(socket.getLocalAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Opens the device that was named, or {@code otherwise}. */
    public OpenDevice open(String otherwise, Progress progress) {
        return wire.open(name == null ? otherwise : name, progress);
    }

    /**
     * An open device and the trace of it.
     *
     * @param trace {@code null} where none was asked for
     * @param jsonTrace {@code null} where none was asked for
     */
    public record OpenDevice(DeviceContext context, TraceFile trace, JsonTraceFile jsonTrace) implements AutoCloseable {

        @Override
        public void close() {
            context.close();
            if (trace != null) {
                trace.close();
            }
            if (jsonTrace != null) {
                jsonTrace.close();
            }
        }
    }
}
