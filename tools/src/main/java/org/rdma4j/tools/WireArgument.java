package org.rdma4j.tools;

import java.nio.file.Path;
import java.util.SplittableRandom;
import org.rdma4j.link.fault.Faults;
import org.rdma4j.link.fault.FaultyLink;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceOptions;
import org.rdma4j.verbs.Progress;
import picocli.CommandLine;

/** What may be done to a device's wire: the options {@code --trace} and {@code --faults}. */
public final class WireArgument {

    @CommandLine.Option(
            names = "--trace",
            paramLabel = "FILE.pcapng",
            description = "Write what crosses the wire to a capture file.")
    private Path trace;

    @CommandLine.Option(
            names = "--trace-json",
            paramLabel = "FILE.jsonl",
            description = "Write what the device does and why, a JSON object a line (docs/trace.md).")
    private Path traceJson;

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

    /** Opens a device. */
    public DeviceArgument.OpenDevice open(String name, Progress progress) {
        DeviceOptions options = DeviceOptions.defaults().withProgress(progress);
        if (!faults.equals(Faults.NONE)) {
            options = options.withLinkAround(link -> new FaultyLink(link, faults, new SplittableRandom()));
        }
        DeviceContext device = DeviceContext.open(name, options);
        try {
            JsonTraceFile json = traceJson == null ? null : new JsonTraceFile(traceJson, device);
            if (json != null && trace == null) {
                device.tap(json.tap());
            }
            TraceFile frames = trace == null ? null : new TraceFile(trace, device, json == null ? null : json.tap());
            return new DeviceArgument.OpenDevice(device, frames, json);
        } catch (RuntimeException e) {
            device.close();
            throw e;
        }
    }
}
