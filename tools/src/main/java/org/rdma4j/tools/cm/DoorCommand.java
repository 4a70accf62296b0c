package org.rdma4j.tools.cm;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.rdma4j.cm.CmEvent;
import org.rdma4j.cm.CmEventType;
import org.rdma4j.cm.ConnectionParameters;
import org.rdma4j.tools.DeviceArgument;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.Ranges;
import org.rdma4j.verbs.Progress;
import org.rdma4j.wire.CmRej;
import org.rdma4j.wire.PortSpace;
import org.rdma4j.wire.PrivateData;
import picocli.CommandLine;

/** Tells who knocks at a port of rdma_cm, and lets nobody in. */
@CommandLine.Command(
        name = "door",
        mixinStandardHelpOptions = true,
        description = {
            "Listens at a port of rdma_cm, prints each request for a connection with what it says, and rejects it.",
            "An NVMe host's request is told field by field, and rejected as a target without resources would."
        },
        footer = {
            "",
            "Example: for a Linux host, which runs `nvme connect -t rdma -a 10.0.0.1 -n any`",
            "  rdma4j door -d roce2:10.0.0.1 -p 4420 -C 1"
        })
public final class DoorCommand implements Callable<Integer> {

    @CommandLine.Mixin
    private DeviceArgument device;

    @CommandLine.Option(
            names = "-p",
            paramLabel = "PORT",
            defaultValue = "" + NvmeRequest.PORT,
            description = "Port of the TCP port space; 4420 is NVMe's (default: ${DEFAULT-VALUE}).")
    private int port;

    @CommandLine.Option(
            names = "-C",
            paramLabel = "N",
            defaultValue = "0",
            description = "End after so many requests; 0 is never (default: ${DEFAULT-VALUE}).")
    private int count;

    @CommandLine.Option(
            names = "--say",
            paramLabel = "TEXT",
            defaultValue = "",
            description = "What the rejection says to the other application, up to 148 bytes.")
    private String answer;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Override
    public Integer call() {
        Ranges.check(spec, "-p", port, 1, 0xFFFF);
        Ranges.check(spec, "-C", count, 0, Integer.MAX_VALUE);
        int words = answer.getBytes(StandardCharsets.UTF_8).length;
        Ranges.check(spec, "the length of --say in bytes", words, 0, CmRej.PRIVATE_DATA_LENGTH);
        try (DeviceArgument.OpenDevice opened = device.open(DeviceArgument.NEAR, Progress.THREAD);
                CmEnd listener = CmEnd.listening(opened.context(), PortSpace.TCP, port, 0)) {
            print("listening at " + CmAddress.text(listener.id().localAddress()));
            for (int request = 0; count == 0 || request < count; request++) {
                answer(listener.expect(CmEventType.CONNECT_REQUEST));
            }
        }
        return ExitStatus.SUCCESS;
    }

    private void answer(CmEvent request) {
        ConnectionParameters asked = request.parameters();
        boolean nvme = port == NvmeRequest.PORT;
        print(String.format(
                "%s asks: READs %d in, %d out, retry %d, RNR retry %d, QP 0x%06x%s",
                CmAddress.text(request.id().peerAddress()),
                asked.responderResources(),
                asked.initiatorDepth(),
                asked.retryCount(),
                asked.rnrRetry(),
                asked.qpNum(),
                asked.srq() ? ", SRQ" : ""));
        print("  " + (nvme ? NvmeRequest.parse(request.privateData()) : "private data " + request.privateData()));
        boolean own = nvme && answer.isEmpty();
        request.id().reject(own ? NvmeRequest.rejection(NvmeRequest.NO_RESOURCES) : PrivateData.of(answer));
        print("  rejected");
        request.id().close();
    }

    private void print(String line) {
        spec.commandLine().getOut().println(line);
        spec.commandLine().getOut().flush();
    }
}
