package org.rdma4j.tools.cm;

import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import org.rdma4j.cm.CmEventType;
import org.rdma4j.cm.DatagramParameters;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.tools.DeviceArgument;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.Ranges;
import org.rdma4j.verbs.AddressHandle;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.Progress;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.Grh;
import picocli.CommandLine;

/** {@code mckey}: joins a multicast group, and sends to it or receives from it. */
@CommandLine.Command(
        name = "mckey",
        mixinStandardHelpOptions = true,
        description = "Sends datagrams to a multicast group, or receives them, as mckey does and with it.",
        footer = {
            "",
            "Example: to Linux peers, which run `mckey -m 239.1.1.1`",
            "  rdma4j mckey -s -b 10.0.0.1 -m 239.1.1.1"
        })
public final class MckeyCommand implements Callable<Integer> {

    @CommandLine.Mixin
    private DeviceArgument device;

    @CommandLine.Option(names = "-m", paramLabel = "GROUP", required = true, description = "The group's IP address.")
    private String group;

    @CommandLine.Option(names = "-s", description = "Send. Without it: receive.")
    private boolean sends;

    @CommandLine.Option(names = "-b", paramLabel = "ADDR", description = "The own address.")
    private String bind;

    @CommandLine.Option(
            names = "-C",
            paramLabel = "N",
            defaultValue = "10",
            description = "Datagrams; the same on all ends (default: ${DEFAULT-VALUE}).")
    private int count;

    @CommandLine.Option(
            names = "-S",
            paramLabel = "BYTES",
            defaultValue = "100",
            description = "Bytes a datagram; the same on all ends (default: ${DEFAULT-VALUE}).")
    private int size;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Override
    public Integer call() {
        Ranges.check(spec, "-C", count, 1, 10_000);
        Ranges.check(spec, "-S", size, 1, 4096);
        InetAddress address = CmAddress.of(group);
        if (!address.isMulticastAddress()) {
            throw new CommandLine.ParameterException(spec.commandLine(), "-m " + group + " is no multicast address");
        }
        try (DeviceArgument.OpenDevice opened = device.open(CmAddress.serving(bind), Progress.THREAD)) {
            print("mckey: starting " + (sends ? "client" : "server"));
            run(opened.context(), new InetSocketAddress(address, 0));
        }
        print("return status " + ExitStatus.SUCCESS);
        return ExitStatus.SUCCESS;
    }

    private void run(DeviceContext context, InetSocketAddress address) {
        ProtectionDomain pd = context.allocPd();
        try (Arena arena = Arena.ofShared();
                MemoryRegion region = pd.register(arena.allocate(Grh.LENGTH + (long) size), AccessFlags.LOCAL_WRITE);
                Work work = new Work(context, count);
                CmEnd end = CmEnd.towardsGroup(context, address)) {
            QueuePair qp =
                    end.id().createQp(pd, QpInitAttributes.ud(work.queue()).withDepths(count, count));
            ReceiveWorkRequest receive = new ReceiveWorkRequest();
            for (int datagram = 0; datagram < count && !sends; datagram++) {
                qp.postReceive(receive.reset(datagram).sge(region, 0, Grh.LENGTH + size));
            }
            end.id().joinMulticast(address);
            DatagramParameters joined = end.expect(CmEventType.MULTICAST_JOIN).datagrams();
            print("mckey: joined dgid: " + joined.ah().dgid());
            if (sends) {
                print("initiating data transfers");
                send(pd, region, qp, joined);
            } else {
                print("receiving data transfers");
            }
            for (int datagram = 0; datagram < count; datagram++) {
                work.success("datagram " + datagram, group);
            }
            print("data transfers complete");
            end.id().leaveMulticast(address);
        }
        pd.close();
    }

    private void send(ProtectionDomain pd, MemoryRegion region, QueuePair qp, DatagramParameters joined) {
        try (AddressHandle way = pd.createAh(joined.ah())) {
            SendWorkRequest send = new SendWorkRequest();
            for (int datagram = 0; datagram < count; datagram++) {
                qp.postSend(send.reset(WrOpcode.SEND_WITH_IMM)
                        .immediate(qp.qpNum())
                        .sge(region, Grh.LENGTH, size)
                        .ud(way, joined.qpNum(), joined.qkey())
                        .signaled());
            }
        }
    }

    private void print(String line) {
        spec.commandLine().getOut().println(line);
        spec.commandLine().getOut().flush();
    }
}
