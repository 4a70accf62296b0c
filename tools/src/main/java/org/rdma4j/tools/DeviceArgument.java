package org.rdma4j.tools;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.rdma4j.link.fault.Faults;
import org.rdma4j.link.fault.FaultyLink;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceOptions;
import org.rdma4j.verbs.Progress;
import org.rdma4j.wire.IpText;
import picocli.CommandLine;

/** The options {@code -d} and {@code --trace}, for every command that works on one device. */
public final class DeviceArgument {

    /** What a server opens where nothing is said. */
    public static final String NEAR = "roce2:127.0.0.1";

    private static final String FAR = "roce2:127.0.0.2";

    @CommandLine.Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "DEVICE",
            description = {
                "The device, such as roce2:10.0.0.1. Default: a server takes " + NEAR + ", a client " + FAR,
                "or, where HOST is another machine, the address that leads there."
            })
    private String name;

    @CommandLine.Option(
            names = "--trace",
            paramLabel = "FILE.pcapng",
            description = "Write what crosses the wire to a capture file.")
    private Path trace;

    @CommandLine.Option(
            names = "--faults",
            paramLabel = "SPEC",
            converter = FaultsConverter.class,
            description =
                    "Mistreat what this end sends: loss=5%%,reorder=2%%,duplicate=1%%,corrupt=1%%,delay=10us,jitter=5us.")
    private Faults faults = Faults.NONE;

    /** Reads a fault specification. */
    static final class FaultsConverter implements CommandLine.ITypeConverter<Faults> {
        @Override
        public Faults convert(String text) {
            try {
                return Faults.parse(text);
            } catch (IllegalArgumentException e) {
                throw new CommandLine.TypeConversionException(e.getMessage());
            }
        }
    }

    /** True where the user named a device. */
    public boolean isGiven() {
        return name != null;
    }

    /** The client's device: the one that was named, else the one at {@code local}, the address that leads to the server. */
    public OpenDevice openTowards(InetAddress local, Progress progress) {
        return open(local.isLoopbackAddress() ? FAR : "roce2:" + IpText.of(local), progress);
    }

    /** Opens the device that was named, or {@code otherwise}. */
    public OpenDevice open(String otherwise, Progress progress) {
        DeviceOptions options = DeviceOptions.defaults().withProgress(progress);
        if (!faults.equals(Faults.NONE)) {
            options = options.withLinkAround(link -> new FaultyLink(link, faults, new SplittableRandom()));
        }
        DeviceContext device = DeviceContext.open(name == null ? otherwise : name, options);
        try {
            return new OpenDevice(device, trace == null ? null : new TraceFile(trace, device));
        } catch (RuntimeException e) {
            device.close();
            throw e;
        }
    }

    /**
     * An open device and the trace of it.
     *
     * @param trace {@code null} where none was asked for
     */
    public record OpenDevice(DeviceContext context, TraceFile trace) implements AutoCloseable {

        @Override
        public void close() {
            context.close();
            if (trace != null) {
                trace.close();
            }
        }
    }
}
