package org.rdma4j.tools.replay;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.link.Links;
import org.rdma4j.pcap.CaptureReader;
import org.rdma4j.pcap.CapturedPacket;
import org.rdma4j.pcap.LinkType;
import org.rdma4j.pcap.PcapngWriter;
import org.rdma4j.tools.CommandRun;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.TwoEnds;
import org.rdma4j.trace.Rule;
import org.rdma4j.vectors.Captures;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.FrameBuilder;
import org.rdma4j.wire.FrameParser;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Ipv4Header;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.Psn;
import org.rdma4j.wire.RoceFrame;
import org.rdma4j.wire.TcpFrame;
import org.rdma4j.wire.TcpHeader;
import org.rdma4j.wire.UdpHeader;

/** {@code rdma4j replay} into files and over devices. */
class ReinjectTest {

    @TempDir
    private Path folder;

    private Path capture(String name) throws IOException {
        return Files.write(folder.resolve(name), Captures.read(name));
    }

    private static CommandRun replay(Path file, String... options) {
        return CommandRun.of(Stream.concat(Stream.of("replay", file.toString()), Stream.of(options))
                .toArray(String[]::new));
    }

    /** The frames of the capture that comes out. */
    private List<CapturedPacket> replayed(Path file, String... options) throws IOException {
        Path written = folder.resolve("out.pcapng");
        CommandRun run = replay(
                file,
                Stream.concat(Stream.of("-w", written.toString()), Stream.of(options))
                        .toArray(String[]::new));
        assertEquals(ExitStatus.SUCCESS, run.status(), run.err());
        return frames(written);
    }

    private static List<CapturedPacket> frames(Path file) throws IOException {
        List<CapturedPacket> all = new ArrayList<>();
        try (CaptureReader reader = CaptureReader.open(file)) {
            reader.forEachRemaining(all::add);
        }
        return all;
    }

    private static RoceFrame roce(CapturedPacket captured) {
        return (RoceFrame) FrameParser.parse(captured.bytes(), 0, captured.length(), LinkType.ETHERNET);
    }

    private static boolean isRoce(CapturedPacket captured) {
        return FrameParser.parse(captured.bytes(), 0, captured.length(), LinkType.ETHERNET) instanceof RoceFrame;
    }

    private static void assertChecksumsRight(CapturedPacket captured) {
        MemorySegment bytes = captured.bytes();
        switch (FrameParser.parse(bytes, 0, captured.length(), LinkType.ETHERNET)) {
            case RoceFrame frame -> {
                assertTrue(frame.icrcIsRight());
                long network = frame.networkOffset();
                assertEquals(Ipv4Header.expectedChecksum(bytes, network), Ipv4Header.checksum(bytes, network));
            }
            case TcpFrame frame -> {
                long network = frame.networkOffset();
                assertEquals(Ipv4Header.expectedChecksum(bytes, network), Ipv4Header.checksum(bytes, network));
                int length = (int) (frame.payloadOffset() - frame.tcpOffset()) + frame.payloadLength();
                int right = TcpHeader.expectedChecksum(
                        bytes, frame.tcpOffset(), length, network + Ipv4Header.SOURCE_OFFSET, 8);
                assertEquals(right, TcpHeader.checksum(bytes, frame.tcpOffset()));
            }
            default -> {}
        }
    }

    @Test
    void packetsGetNewAddressesAndNumbersAndRightChecksums() throws IOException {
        Path file = capture("rxe-send-bw.pcap");
        List<CapturedPacket> all = replayed(
                file,
                "--all",
                "--map=ip:10.77.0.2=10.9.0.7",
                "--map=mac:client=02:00:00:00:00:09",
                "--map=vlan:none=7",
                "--map=qpn:server=0x99",
                "--map=psn:client=0",
                "--map=sport:0xc000=0xc001");
        assertEquals(49, all.size());
        all.forEach(ReinjectTest::assertChecksumsRight);
        List<RoceFrame> packets = all.stream()
                .filter(ReinjectTest::isRoce)
                .map(ReinjectTest::roce)
                .toList();
        assertEquals(20, packets.size());
        Gid server = Gid.ofIpv4(0x0A09_0007);
        int next = 0;
        for (RoceFrame frame : packets) {
            assertEquals(7, frame.vlan().orElseThrow().id());
            Bth bth = ((Packet) frame.packet()).bth();
            if (Opcode.isRequest(bth.opcode())) {
                assertEquals(server, frame.destination());
                assertEquals(0x99, bth.destQp());
                assertEquals(next++, bth.psn());
            } else {
                assertEquals(server, frame.source());
                assertEquals(0x20, bth.destQp());
                assertTrue(bth.psn() < 15, () -> "an ACK of PSN " + bth.psn());
            }
        }
        // What the two told each other says the same as the packets: the decoder believes it.
        CommandRun decoded =
                CommandRun.of("decode", folder.resolve("out.pcapng").toString(), "--findings");
        assertTrue(
                decoded.out().contains("QP 0x000020 to QP 0x000099 starts with PSN 0"), decoded.out() + decoded.err());
    }

    static Stream<String> captures() {
        return Captures.names().stream();
    }

    /** There and back again: what one mapping does the opposite one undoes, bit for bit, damage and all. */
    @ParameterizedTest
    @MethodSource("captures")
    void theOppositeMappingGivesTheCaptureBack(String name) throws IOException {
        Path file = capture(name);
        List<CapturedPacket> original = frames(file);
        Path there = folder.resolve("there.pcapng");
        CommandRun run = replay(
                file,
                "--all",
                "-w",
                there.toString(),
                "--map=ip:10.0.0.0/8=11.0.0.0/8",
                "--map=ip:fd77::/64=fd99:1::/64",
                "--map=vlan:none=5",
                "--map=qpn:0x11=0xabcdef",
                "--map=psn:0xfffff0=4",
                "--map=rkey:0x1234=0x5678",
                "--map=va:0=0x10000");
        assertEquals(ExitStatus.SUCCESS, run.status(), run.err());
        List<CapturedPacket> back = replayed(
                there,
                "--all",
                "--map=ip:11.0.0.0/8=10.0.0.0/8",
                "--map=ip:fd99:1::/64=fd77::/64",
                "--map=vlan:5=none",
                "--map=qpn:0xabcdef=0x11",
                "--map=psn:4=0xfffff0",
                "--map=rkey:0x5678=0x1234",
                "--map=va:0x10000=0");
        List<CapturedPacket> away = frames(there);
        assertEquals(original.size(), back.size());
        for (int index = 0; index < back.size(); index++) {
            CapturedPacket before = original.get(index);
            int frame = index + 1;
            assertArrayEquals(withoutTcpChecksum(before), withoutTcpChecksum(back.get(index)), () -> "frame " + frame);
            assertEquals(before.timestamp(), back.get(index).timestamp());
            if (isRoce(before)) {
                assertEquals(roce(before).icrcIsRight(), roce(away.get(index)).icrcIsRight(), () -> "frame " + frame);
                assertEquals(Psn.add(psn(roce(before)), 0x14), psn(roce(away.get(index))), () -> "frame " + frame);
            }
        }
    }

    private static int psn(RoceFrame frame) {
        return Bth.psn(frame.segment(), frame.bthOffset());
    }

    private static byte[] bytes(CapturedPacket captured) {
        return captured.bytes().toArray(ValueLayout.JAVA_BYTE);
    }

    /** The guests that were captured left it to their cards, so the captures have it half done. */
    private static byte[] withoutTcpChecksum(CapturedPacket captured) {
        byte[] bytes = bytes(captured);
        if (FrameParser.parse(captured.bytes(), 0, bytes.length, LinkType.ETHERNET) instanceof TcpFrame tcp) {
            TcpHeader.setChecksum(MemorySegment.ofArray(bytes), tcp.tcpOffset(), 0);
        }
        return bytes;
    }

    @Test
    void whatWasDamagedStaysSo() throws IOException {
        CommandRun run = replay(
                capture(Captures.DAMAGED), "-w", folder.resolve("o.pcapng").toString(), "--map=ip:10.77.0.2=10.9.0.7");
        assertTrue(run.out().contains(Captures.DAMAGED_FRAMES + " of them damaged as they were"), run.out());
        long wrong = frames(folder.resolve("o.pcapng")).stream()
                .filter(ReinjectTest::isRoce)
                .filter(captured -> !roce(captured).icrcIsRight())
                .count();
        assertEquals(Captures.DAMAGED_FRAMES, wrong);
    }

    /** The same flipped bit in the old frame and in the new one: ICRC and UDP checksum are off alike. */
    @Test
    void aFlippedBitIsCarriedThroughTheMapping() throws IOException {
        byte[] packet = new Packet(
                        new Bth(Opcode.RC_SEND_ONLY, false, true, 0, 0, 0xFFFF, false, false, 0, 0x11, true, 0, 77),
                        List.of(),
                        MemorySegment.ofArray(new byte[400]),
                        MemorySegment.NULL)
                .toBytes();
        FrameBuilder builder = FrameBuilder.roceV2(Gid.ofIpv4(1))
                .gids(Gid.ofIpv4(0x0A00_0001), Gid.ofIpv4(0x0A00_0002))
                .udpPorts(0xC000, 4791);
        byte[] good = builder.build(MemorySegment.ofArray(packet), 0, packet.length);
        builder.writeUdpChecksum(MemorySegment.ofArray(good), 0);
        byte[] bad = good.clone();
        bad[200] ^= 0x10;
        Path file = folder.resolve("two.pcapng");
        try (PcapngWriter writer = new PcapngWriter(Files.newOutputStream(file), "test")) {
            writer.addInterface(LinkType.ETHERNET, "eth0");
            writer.write(0, 1, MemorySegment.ofArray(good), 0, good.length);
            writer.write(0, 2, MemorySegment.ofArray(bad), 0, bad.length);
        }
        List<CapturedPacket> out =
                replayed(file, "--map=ip:10.0.0.2=10.0.0.77", "--map=qpn:0x11=0x12", "--map=psn:77=0");
        RoceFrame right = roce(out.getFirst());
        assertTrue(right.icrcIsRight());
        long udp = right.bthOffset() - UdpHeader.LENGTH;
        int expected =
                UdpHeader.expectedChecksum(right.segment(), udp, right.networkOffset() + Ipv4Header.SOURCE_OFFSET, 8);
        assertEquals(expected, UdpHeader.checksum(right.segment(), udp));
        byte[] flipped = bytes(out.getFirst());
        flipped[200] ^= 0x10;
        assertArrayEquals(flipped, bytes(out.getLast()));
    }

    @Test
    void timesAreFurtherApartOrCloser() throws IOException {
        Path file = capture("rxe-send-bw.pcap");
        List<CapturedPacket> same = replayed(file);
        List<CapturedPacket> twice = replayed(file, "-x", "2");
        List<CapturedPacket> atOnce = replayed(file, "-t");
        long first = same.getFirst().timestamp();
        for (int index = 0; index < same.size(); index++) {
            assertEquals(
                    (same.get(index).timestamp() - first) / 2, twice.get(index).timestamp() - first);
            assertEquals(first, atOnce.get(index).timestamp());
        }
    }

    @Test
    void connectionsAreListedAndOneOfThemCanBeTaken() throws IOException {
        Path file = capture("rxe-rping.pcap");
        CommandRun list = replay(file, "--list");
        assertTrue(
                list.out().contains("1  RC   client 10.77.0.3 QP 0x000011, server 10.77.0.2 QP 0x000011, by CM, 36"),
                list.out());
        assertEquals(36, replayed(file, "-n", "1").size());
        CommandRun none =
                replay(file, "-n", "2", "-t", "-w", folder.resolve("x").toString());
        assertEquals(ExitStatus.USAGE, none.status());
        assertTrue(none.err().contains("holds no connection 2; there are: 1 RC client 10.77.0.3"), none.err());
    }

    @Test
    void connectionManagementTellsTheNewNumbers() throws IOException {
        Path file = capture("rxe-rping.pcap");
        replayed(file, "--map=ip:server=10.9.0.7", "--map=qpn:client=0x77", "--map=psn:client=9");
        CommandRun decoded =
                CommandRun.of("decode", folder.resolve("out.pcapng").toString(), "--findings");
        assertTrue(decoded.out().contains("QP 0x000077 to QP 0x000011 starts with PSN 9"), decoded.out());
        CommandRun fields = CommandRun.of("decode", folder.resolve("out.pcapng").toString(), "-F");
        assertTrue(fields.out().contains("10.9.0.7") && !fields.out().contains("10.77.0.2"), fields.out());
    }

    @Test
    void aDeviceSendsThePacketsThatAreForItsPeer() throws IOException {
        Path file = capture("rxe-send-bw.pcap");
        int received = 0;
        try (Link peer = Links.open(TwoEnds.device(31), LinkOptions.DEFAULT)) {
            String address = TwoEnds.device(31).substring("roce2:".length());
            CommandRun run = replay(
                    file,
                    "-d",
                    TwoEnds.device(32),
                    "-t",
                    "--map=ip:10.77.0.2=" + address,
                    "--map=ip:10.77.0.3=" + TwoEnds.device(32).substring("roce2:".length()),
                    "--map=psn:client=100");
            assertEquals(ExitStatus.FAILED, run.status(), "the server's own packets would go to this end");
            assertTrue(run.out().contains("15 of 49 frames sent"), run.out());
            List<Integer> psns = new ArrayList<>();
            for (int round = 0; round < 1000 && received < 15; round++) {
                received += peer.poll(
                        (memory, offset, length, info) -> {
                            psns.add(Bth.psn(memory, offset));
                            return Rule.ACCEPTED;
                        },
                        System.nanoTime());
            }
            assertEquals(15, received);
            assertEquals(Stream.iterate(100, psn -> psn + 1).limit(15).toList(), psns);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ip 10.0.0.1=10.0.0.2|a rule is KIND:OLD=NEW",
                "ipp:10.0.0.1=10.0.0.2|'ipp' is nothing to map: mac, smac,",
                "ip:10.0.0=10.0.0.2|'10.0.0' is no IP address",
                "ip:10.0.0.1=fd77::1|an IPv4 address does not fit in an IPv6 header",
                "ip:10.0.0.0/24=10.1.0.0/16|a network takes the place of one with as many bits",
                "ip:10.0.0.0/33=10.1.0.0/33|'/33' is no network's length: 0 to 32",
                "qpn:0x1000000=1|'0x1000000' is no queue pair number: 0 to 0xffffff",
                "qpn:1@host=1|'host' is no IP address",
                "psn:*=3|psns all move by NEW - OLD",
                "vlan:4095=none|'4095' is no VLAN: 0 to 4094, or none",
                "mac:02:00=02:00:00:00:00:01|'02:00' is no MAC address",
                "rkey:client=1|the capture does not tell the rkey of its client",
                "port:server=4792|no end owns a port",
                "psn:1=|a rule is KIND:OLD=NEW"
            })
    void aRuleThatCannotBeReadIsOneLine(String rule, String why) throws IOException {
        CommandRun run = replay(
                capture("rxe-rping.pcap"), "-w", folder.resolve("x.pcapng").toString(), "--map=" + rule);
        assertEquals(ExitStatus.USAGE, run.status(), run.err());
        assertTrue(run.err().contains("--map " + rule + ": " + why), run.err());
        assertEquals(1, run.err().lines().count(), run.err());
    }

    @Test
    void whatIsNoCaptureIsOneLine() throws IOException {
        CommandRun missing = replay(folder.resolve("none.pcap"), "--list");
        assertEquals(ExitStatus.FAILED, missing.status());
        assertTrue(missing.err().contains("no such file: " + folder.resolve("none.pcap")), missing.err());
        Path text = Files.writeString(folder.resolve("text.pcap"), "no capture at all");
        CommandRun wrong = replay(text, "--list");
        assertEquals(ExitStatus.FAILED, wrong.status());
        assertTrue(wrong.err().contains("neither pcap nor pcapng"), wrong.err());
        assertEquals(1, wrong.err().lines().count(), wrong.err());
        CommandRun nowhere = replay(text);
        assertEquals(ExitStatus.USAGE, nowhere.status(), nowhere.err());
        Path whole = capture("rxe-rping.pcap");
        CommandRun itself = replay(whole, "-w", whole.toString());
        assertTrue(itself.err().contains("is the capture that is read"), itself.err());
        Path cut = Files.write(folder.resolve("cut.pcap"), Arrays.copyOf(Captures.read("rxe-rping.pcap"), 2000));
        CommandRun damaged = replay(cut, "-w", folder.resolve("y.pcapng").toString());
        assertEquals(ExitStatus.FAILED, damaged.status());
        assertTrue(damaged.err().contains("cut.pcap: at byte"), damaged.err());
    }
}
