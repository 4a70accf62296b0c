package org.rdma4j.rocev2.packet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.link.LinkException;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.link.Links;
import org.rdma4j.link.tap.PcapngTap;
import org.rdma4j.pcap.CaptureReader;
import org.rdma4j.pcap.CapturedPacket;
import org.rdma4j.pcap.LinkType;
import org.rdma4j.rocev2.EveryOperation;
import org.rdma4j.rocev2.ethernet.BitwiseCrc;
import org.rdma4j.rocev2.ethernet.EthernetLink;
import org.rdma4j.vectors.Tshark;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.wire.ArpPacket;
import org.rdma4j.wire.Encapsulation;
import org.rdma4j.wire.EthernetHeader;
import org.rdma4j.wire.FrameParser;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Ipv6Header;
import org.rdma4j.wire.NeighborMessage;
import org.rdma4j.wire.RoceFrame;

/** Two devices on the ends of a cable of the kernel's, frames by packet sockets. */
class RawOverVethTest {

    private static final int PATH_MTUS = 5;
    private static final int MTU = 4500;

    @TempDir
    private Path folder;

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "v1,             roce1:va,                                 roce1:vb,                                 ROCE_V1",
        "v1 VLAN,        roce1:va?vlan=5&priority=3,               roce1:vb?vlan=5&priority=3,               ROCE_V1",
        "v1 IPv4 GID,    roce1:va?address=10.9.0.1,                roce1:vb?address=10.9.0.2,                ROCE_V1",
        "v1 IPv6 GID,    roce1:va?address=fd00::1,                 roce1:vb?address=fd00::2,                 ROCE_V1",
        "v2 IPv4,        roce2eth:va?address=10.9.0.1/24,          roce2eth:vb?address=10.9.0.2/24,          ROCE_V2_IPV4",
        "v2 IPv4 VLAN,   roce2eth:va?vlan=7&priority=6&address=10.9.0.1, roce2eth:vb?vlan=7&address=10.9.0.2, ROCE_V2_IPV4",
        "v2 IPv6,        roce2eth:va?address=fd00::1/64,           roce2eth:vb?address=fd00::2/64,           ROCE_V2_IPV6",
        "v2 IPv6 VLAN,   roce2eth:va?vlan=7&address=fd00::1,       roce2eth:vb?vlan=7&address=fd00::2,       ROCE_V2_IPV6"
    })
    void everyOperationAtEveryPathMtu(String name, String left, String right, Encapsulation encapsulation)
            throws Throwable {
        Path file = folder.resolve("raw.pcapng");
        Namespace.withVethPair(MTU, () -> {
            try (DeviceContext here = DeviceContext.open(left);
                    DeviceContext there = DeviceContext.open(right);
                    PcapngTap tap = PcapngTap.create(file)) {
                assertEquals(left, here.name());
                here.tap(tap.of("va"));
                there.tap(tap.arrivalsAt("vb"));
                for (int pathMtu = 256; pathMtu <= 4096; pathMtu *= 2) {
                    EveryOperation.between(here, there, pathMtu);
                }
                here.tap(null);
                there.tap(null);
                assertEquals(0, here.linkCounters().sendErrors + there.linkCounters().sendErrors);
                assertEquals(0, here.linkCounters().icrcErrors + there.linkCounters().malformed);
                // The kernel's own queue between the two ends holds 1,000 frames, and a busy machine lets it overflow.
                // A
                // datagram to a group arrives at its sender too: one at each path MTU.
                long sent = here.linkCounters().sentPackets + there.linkCounters().sentPackets;
                long received = here.linkCounters().receivedPackets + there.linkCounters().receivedPackets;
                assertTrue(
                        received <= sent + PATH_MTUS && received > sent * 0.9,
                        received + " packets arrived of " + sent + " and " + PATH_MTUS + " copies");
            }
        });
        judge(file, encapsulation, left.contains("vlan="));
    }

    /** Each frame is what was asked for, and its ICRC the one that is worked out here without the library. */
    private static void judge(Path file, Encapsulation encapsulation, boolean tagged) throws Exception {
        List<byte[]> frames = new ArrayList<>();
        try (CaptureReader reader = CaptureReader.open(file)) {
            while (reader.hasNext()) {
                CapturedPacket packet = reader.next();
                if (FrameParser.parse(packet.bytes(), 0, packet.length(), LinkType.ETHERNET)
                        instanceof RoceFrame roce) {
                    assertEquals(encapsulation, roce.encapsulation());
                    assertEquals(tagged, roce.vlan().isPresent());
                    frames.add(packet.bytes().toArray(ValueLayout.JAVA_BYTE));
                }
            }
        }
        assertTrue(frames.size() > 8_000, frames.size() + " packets");
        for (int i = 0; i < frames.size(); i += 1 + i / 500) { // bit by bit is slow: all at first, then fewer
            assertEquals(BitwiseCrc.icrcOf(frames.get(i)), BitwiseCrc.icrcIn(frames.get(i)), "frame " + i);
            assertTrue(frames.get(i).length >= EthernetHeader.MINIMUM_FRAME);
        }
        String filter =
                encapsulation == Encapsulation.ROCE_V1 ? "eth.type==0x8915 || vlan.etype==0x8915" : "udp.port==4791";
        assertEquals(
                frames.size(), tshark(file, "infiniband && (" + filter + ")").size());
        assertEquals(List.of(), tshark(file, "_ws.malformed"));
    }

    /** The frames that a filter finds. */
    private static List<String> tshark(Path file, String filter) throws IOException, InterruptedException {
        return Tshark.lines(file, "-Y", filter, "-T", "fields", "-e", "frame.number")
                .orElseGet(() -> abort(Tshark.MISSING));
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.9.0.%d/24", "fd00::%d/64"})
    void theInterfacesOwnAddressIsTakenAndTheKernelAnswersForIt(String address) throws Throwable {
        Namespace.withVethPair(1500, () -> {
            Namespace.ip("addr add " + address.formatted(1) + " dev va" + (address.contains(":") ? " nodad" : ""));
            Path file = folder.resolve("own.pcapng");
            String own = address.replaceFirst("/.*", "").formatted(1);
            try (DeviceContext here = DeviceContext.open("roce2eth:va?address=" + own);
                    DeviceContext there = DeviceContext.open("roce2eth:vb?address=" + address.formatted(2));
                    PcapngTap tap = PcapngTap.create(file)) {
                there.tap(tap.of("vb"));
                EveryOperation.between(here, there, 1024);
                there.tap(null);
                LinkException taken = assertThrows(LinkException.class, () -> DeviceContext.open("roce2:" + own));
                assertEquals(
                        LinkException.Kind.ADDRESS_IN_USE, taken.kind(), "the port is held: " + taken.getMessage());
            }
            try (CaptureReader reader = CaptureReader.open(file)) {
                int questions = 0;
                int answers = 0;
                while (reader.hasNext()) {
                    CapturedPacket packet = reader.next();
                    questions += isOf(packet, 0x5254_0000_0002L, ArpPacket.REQUEST, NeighborMessage.SOLICITATION);
                    answers += isOf(packet, 0x5254_0000_0001L, ArpPacket.REPLY, NeighborMessage.ADVERTISEMENT);
                }
                assertEquals(questions, answers, "each question is answered once");
            }
        });
    }

    /** 1 for a frame of a station that asks for another's address, or answers, by ARP or neighbor discovery. */
    private static int isOf(CapturedPacket packet, long mac, int operation, int type) {
        MemorySegment frame = packet.bytes();
        boolean arp = EthernetHeader.etherType(frame, 0) == EthernetHeader.ARP
                && ArpPacket.operation(frame, 14) == operation
                && ArpPacket.senderAddress(frame, 14) != ArpPacket.targetAddress(frame, 14);
        boolean discovery = EthernetHeader.etherType(frame, 0) == EthernetHeader.IPV6
                && Ipv6Header.nextHeader(frame, 14) == NeighborMessage.NEXT_HEADER
                && NeighborMessage.type(frame, 54) == type;
        return EthernetHeader.source(frame, 0) == mac && (arp || discovery) ? 1 : 0;
    }

    /** Groups of an address that is ours alone are asked of the card, those of the kernel's are told to the network too. */
    @ParameterizedTest
    @CsvSource({"10.9.0.1, true", "10.9.0.2, false"})
    void theInterfaceIsAMemberOfItsGroups(String address, boolean isKernels) throws Throwable {
        Gid group = Gid.ofIpv4(0xEF81_0203);
        Namespace.withVethPair(1500, () -> {
            Namespace.ip("addr add 10.9.0.1/24 dev va");
            try (EthernetLink link = (EthernetLink) Links.open("roce2eth:va?address=" + address, LinkOptions.DEFAULT)) {
                link.join(group);
                String joined = Namespace.ip("maddr show dev va");
                assertTrue(joined.contains("01:00:5e:01:02:03"), joined);
                assertEquals(isKernels, joined.contains("239.129.2.3"), joined);
                link.leave(group);
                assertTrue(!Namespace.ip("maddr show dev va").contains("01:00:5e:01:02:03"));
            }
        });
    }

    @Test
    void whatIsMissingIsOneClearLine() throws Throwable {
        Namespace.withVethPair(1500, () -> {
            Namespace.ip("link set vb down");
            Namespace.ip("addr flush dev va");
            assertEquals("vb is down: ip link set vb up", refusal("roce1:vb"));
            assertEquals(
                    "roce2eth:va: va has no IP address; name one: roce2eth:va?address=10.9.0.5/24",
                    refusal("roce2eth:va"));
            assertEquals(
                    "roce1:eth9: no Ethernet interface is called eth9; there are va, vb",
                    refusal("roce1:eth9").replace("vb, va", "va, vb"));
            assertEquals("roce1:va?mtu=9000: va has its own mtu", refusal("roce1:va?mtu=9000"));
            assertEquals("roce1 has no variant nio: it has packet and pcap4j", refusal("roce1:va", "nio"));
            // Without the right, and with all others.
            Process process = new ProcessBuilder(
                            "setpriv",
                            "--bounding-set=-net_raw",
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            System.getProperty("java.class.path"),
                            RawOverVethTest.class.getName(),
                            "roce1:va")
                    .redirectErrorStream(true)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(
                    "raw Ethernet on va needs CAP_NET_RAW: run as root, or with setpriv --ambient-caps +net_raw, or give it"
                            + " to Java by setcap cap_net_raw+ep\n",
                    said);
        });
    }

    /** Says why a device does not open. */
    public static void main(String[] arguments) {
        System.out.println(refusal(arguments[0]));
    }

    private static String refusal(String device) {
        return refusal(device, "");
    }

    private static String refusal(String device, String implementation) {
        LinkOptions options = new LinkOptions(LinkOptions.ROCE_V2_PORT, 0, implementation, false);
        return assertThrows(LinkException.class, () -> Links.open(device, options))
                .getMessage();
    }

    @Test
    void theInterfacesThatAreUpAreFound() throws Throwable {
        Namespace.withVethPair(1500, () -> {
            Namespace.ip("addr add 10.9.0.1/24 dev va");
            List<String> found = Links.discover();
            assertTrue(found.contains("roce1:va") && found.contains("roce1:vb"), found::toString);
            assertTrue(found.contains("roce2eth:va"), found::toString);
            assertTrue(!found.contains("roce1:lo"), found::toString);
        });
    }

    @Test
    void aDeviceOverUdpAndOneFromEthernetUpUnderstandEachOther() throws Throwable {
        Namespace.withVethPair(4500, () -> {
            Namespace.ip("addr add 10.9.0.1/24 dev va");
            // Where the UDP socket leaves cutting to the card, frames come to the other end uncut.
            Namespace.ip("link set va gso_max_segs 1");
            try (DeviceContext here = DeviceContext.open("roce2:10.9.0.1");
                    DeviceContext there = DeviceContext.open("roce2eth:vb?address=10.9.0.2/24")) {
                EveryOperation.between(here, there, 4096);
                EveryOperation.between(there, here, 1024);
            }
        });
    }
}
