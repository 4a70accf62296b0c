package org.rdma4j.iwarp.rdmap;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rdma4j.iwarp.capture.CapturedConnections;
import org.rdma4j.iwarp.capture.CapturedUnit;
import org.rdma4j.iwarp.capture.CrcVerdict;
import org.rdma4j.iwarp.wire.DdpControl;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.iwarp.wire.TaggedHeader;
import org.rdma4j.link.tap.PcapngTap;
import org.rdma4j.pcap.CaptureReader;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.EthernetHeader;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Ipv4Header;
import org.rdma4j.wire.TcpEnds;
import org.rdma4j.wire.TcpHeader;

/** What a tap on a device of TCP writes: the connection from its SYN to its end, and nothing lost of what crossed it. */
class TapTest {

    private static final int IP = EthernetHeader.LENGTH;
    private static final int TCP = IP + Ipv4Header.LENGTH;

    @TempDir
    Path folder;

    private final CapturedConnections connections = new CapturedConnections();
    private final List<CapturedUnit> units = new ArrayList<>();
    private int syns;
    private int fins;

    @Test
    void aTapShowsAllThatCrossesAConnection() throws IOException {
        Path file = folder.resolve("tap.pcapng");
        try (PcapngTap tap = PcapngTap.create(file);
                TcpEnd here = new TcpEnd("127.0.0.1", 100_000, 1);
                TcpEnd there = new TcpEnd("127.0.0.2", 100_000, 1)) {
            here.device.tap(tap.of("here"));
            here.connect(there, true);
            there.qp().postReceive(new ReceiveWorkRequest().reset(9).sge(there.region, 0, 4096));
            here.qp()
                    .postSend(new SendWorkRequest()
                            .reset(WrOpcode.RDMA_WRITE)
                            .sge(here.region, 0, 100_000)
                            .remote(there.region.address(), there.region.rKey()));
            here.qp()
                    .postSend(new SendWorkRequest()
                            .reset(WrOpcode.SEND)
                            .signaled()
                            .sge(here.region, 0, 100));
            here.await(there);
            there.await(here);
            here.qp()
                    .postSend(new SendWorkRequest()
                            .reset(WrOpcode.RDMA_READ)
                            .signaled()
                            .sge(here.region, 0, 50_000)
                            .remote(there.region.address(), there.region.rKey()));
            here.await(there);
            here.device.control(here.connections.getFirst()::disconnect);
            here.pump(there, () -> here.ends.size() == 1 && there.ends.size() == 1);
            here.device.tap(null);
        }
        read(file);
        assertEquals(2, syns, "one of each side");
        assertEquals(2, fins, "one of each side");
        assertEquals(0, connections.left());
        assertEquals(1, units(true, -1).size(), "request");
        assertEquals(1, units(false, -1).size(), "reply");
        assertEquals(100_000, payload(true, RdmapOpcode.WRITE));
        assertEquals(100, payload(true, RdmapOpcode.SEND));
        assertEquals(1, units(true, RdmapOpcode.READ_REQUEST).size());
        assertEquals(50_000, payload(false, RdmapOpcode.READ_RESPONSE));
    }

    private void read(Path file) throws IOException {
        try (CaptureReader reader = CaptureReader.open("tap", Files.newInputStream(file))) {
            while (reader.hasNext()) {
                MemorySegment frame = reader.next().bytes();
                int flags = TcpHeader.flags(frame, TCP);
                boolean syn = (flags & TcpHeader.SYN) != 0;
                syns += syn ? 1 : 0;
                fins += (flags & TcpHeader.FIN) != 0 ? 1 : 0;
                MemorySegment payload = frame.asSlice(TCP + TcpHeader.LENGTH);
                units.addAll(connections.segment(
                        new TcpEnds(
                                Gid.ofIpv4(Ipv4Header.source(frame, IP)),
                                TcpHeader.sourcePort(frame, TCP),
                                Gid.ofIpv4(Ipv4Header.destination(frame, IP)),
                                TcpHeader.destinationPort(frame, TCP)),
                        TcpHeader.sequence(frame, TCP),
                        syn,
                        payload,
                        payload.byteSize()));
            }
        }
    }

    /** What one side sent of an opcode; its MPA frames for -1. */
    private List<CapturedUnit> units(boolean fromInitiator, int opcode) {
        return units.stream()
                .filter(unit -> unit.fromInitiator() == fromInitiator && opcode(unit) == opcode)
                .toList();
    }

    private static int opcode(CapturedUnit unit) {
        return switch (unit) {
            case CapturedUnit.Setup _ -> -1;
            case CapturedUnit.Fpdu fpdu -> {
                assertEquals(CrcVerdict.RIGHT, fpdu.crc());
                yield DdpControl.opcode(TaggedHeader.control(fpdu.ulpdu(), 0));
            }
            case CapturedUnit.Lost lost -> throw new AssertionError(lost);
        };
    }

    private long payload(boolean fromInitiator, int opcode) {
        return units(fromInitiator, opcode).stream()
                .map(unit -> ((CapturedUnit.Fpdu) unit).ulpdu())
                .mapToLong(ulpdu -> ulpdu.byteSize() - DdpControl.headerLength(TaggedHeader.control(ulpdu, 0)))
                .sum();
    }
}
