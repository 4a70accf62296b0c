package org.rdma4j.tools.decode;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.rdma4j.analysis.Finding;
import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.AtomicAckEth;
import org.rdma4j.wire.AtomicEth;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Deth;
import org.rdma4j.wire.Encapsulation;
import org.rdma4j.wire.EthernetHeader;
import org.rdma4j.wire.ExtensionHeader;
import org.rdma4j.wire.Icrc;
import org.rdma4j.wire.Ieth;
import org.rdma4j.wire.ImmDt;
import org.rdma4j.wire.IpText;
import org.rdma4j.wire.Ipv4Header;
import org.rdma4j.wire.Lrh;
import org.rdma4j.wire.Reth;
import org.rdma4j.wire.RoceFrame;
import org.rdma4j.wire.Syndrome;
import org.rdma4j.wire.UdpHeader;

/**
 * Fields by the names that Wireshark gives them, in the form in which {@code tshark -T fields} prints them, so that scripts
 * made for it work here. Those that begin with {@code rdma4j.} are what Wireshark does not know.
 */
final class WiresharkFields {

    private static final Map<String, Function<DecodedFrame, String>> FIELDS = new LinkedHashMap<>();

    static {
        frame();
        network();
        bth();
        extensions();
        own();
    }

    private WiresharkFields() {}

    /** All names. */
    static List<String> names() {
        return List.copyOf(FIELDS.keySet());
    }

    /** @throws IllegalArgumentException naming a field that is not known */
    static void check(List<String> names) {
        for (String name : names) {
            if (!FIELDS.containsKey(name)) {
                throw new IllegalArgumentException("no field is called '" + name + "'; there are "
                        + names().stream()
                                .filter(known -> known.contains(name.substring(name.lastIndexOf('.') + 1)))
                                .findFirst()
                                .map(known -> "such as " + known)
                                .orElse("frame.number, ip.src, infiniband.bth.psn and others"));
            }
        }
    }

    /** The values with a tab between them; a field that the packet does not have is empty. */
    static String line(DecodedFrame decoded, List<String> names) {
        List<String> values = new ArrayList<>(names.size());
        for (String name : names) {
            values.add(FIELDS.get(name).apply(decoded));
        }
        return String.join("\t", values);
    }

    private static void frame() {
        FIELDS.put("frame.number", decoded -> Long.toString(decoded.number()));
        FIELDS.put(
                "frame.time_epoch",
                decoded -> new LineText()
                        .exactSeconds(decoded.captured().timestamp())
                        .toString());
        FIELDS.put(
                "frame.time_relative",
                decoded -> new LineText().exactSeconds(decoded.sinceFirst()).toString());
        FIELDS.put("frame.len", decoded -> Long.toString(decoded.captured().originalLength()));
        FIELDS.put("frame.cap_len", decoded -> Long.toString(decoded.captured().length()));
        FIELDS.put(
                "frame.comment", decoded -> String.join(",", decoded.captured().comments()));
    }

    private static void network() {
        ethernet(
                "eth.src",
                (segment, at) -> EthernetHeader.macToString(
                        EthernetHeader.parse(segment, at).source()));
        ethernet(
                "eth.dst",
                (segment, at) -> EthernetHeader.macToString(
                        EthernetHeader.parse(segment, at).destination()));
        FIELDS.put(
                "vlan.id",
                decoded -> decoded.frame() == null
                        ? ""
                        : decoded.frame()
                                .vlan()
                                .map(vlan -> Integer.toString(vlan.id()))
                                .orElse(""));
        ipv4("ip.src", frame -> IpText.of(frame.source().toAddress()));
        ipv4("ip.dst", frame -> IpText.of(frame.destination().toAddress()));
        ipv4("ip.id", frame -> hex(frame.identification(), 4));
        ipv4("ip.len", frame -> number(Ipv4Header.totalLength(frame.segment(), frame.networkOffset())));
        ipv4("ip.ttl", frame -> number(frame.hopLimit()));
        ipv4("ip.dsfield.dscp", frame -> number(frame.trafficClass() >> 2));
        ipv4("ip.dsfield.ecn", frame -> number(frame.trafficClass() & 3));
        only(
                "ipv6.src",
                Encapsulation.ROCE_V2_IPV6,
                frame -> IpText.of(frame.source().toAddress()));
        only(
                "ipv6.dst",
                Encapsulation.ROCE_V2_IPV6,
                frame -> IpText.of(frame.destination().toAddress()));
        only("ipv6.hlim", Encapsulation.ROCE_V2_IPV6, frame -> number(frame.hopLimit()));
        only("ipv6.tclass.dscp", Encapsulation.ROCE_V2_IPV6, frame -> number(frame.trafficClass() >> 2));
        only("ipv6.tclass.ecn", Encapsulation.ROCE_V2_IPV6, frame -> number(frame.trafficClass() & 3));
        udp("udp.srcport", UdpHeader::sourcePort);
        udp("udp.dstport", UdpHeader::destinationPort);
        udp("udp.length", UdpHeader::udpLength);
        grh("infiniband.grh.sgid", frame -> IpText.of(frame.source().toAddress()));
        grh("infiniband.grh.dgid", frame -> IpText.of(frame.destination().toAddress()));
        grh("infiniband.grh.hoplmt", frame -> number(frame.hopLimit()));
        lrh("infiniband.lrh.dlid", Lrh::destinationLid);
        lrh("infiniband.lrh.slid", Lrh::sourceLid);
    }

    private interface Reader {
        int at(MemorySegment segment, long offset);
    }

    private interface Text {
        String at(MemorySegment segment, long offset);
    }

    private static void ethernet(String name, Text text) {
        FIELDS.put(
                name,
                decoded -> decoded.frame() == null || decoded.frame().ethernetOffset() < 0
                        ? ""
                        : text.at(decoded.frame().segment(), decoded.frame().ethernetOffset()));
    }

    private static void only(String name, Encapsulation encapsulation, Function<RoceFrame, String> value) {
        FIELDS.put(
                name,
                decoded -> decoded.frame() != null && decoded.frame().encapsulation() == encapsulation
                        ? value.apply(decoded.frame())
                        : "");
    }

    private static void ipv4(String name, Function<RoceFrame, String> value) {
        only(name, Encapsulation.ROCE_V2_IPV4, value);
    }

    private static void udp(String name, Reader reader) {
        FIELDS.put(
                name,
                decoded -> decoded.frame() != null
                                && decoded.frame().encapsulation().hasUdp()
                        ? number(reader.at(
                                decoded.frame().segment(), decoded.frame().bthOffset() - UdpHeader.LENGTH))
                        : "");
    }

    private static void grh(String name, Function<RoceFrame, String> value) {
        FIELDS.put(name, decoded -> {
            RoceFrame frame = decoded.frame();
            boolean hasGrh = frame != null
                    && (frame.encapsulation() == Encapsulation.ROCE_V1
                            || frame.encapsulation() == Encapsulation.INFINIBAND_GLOBAL);
            return hasGrh ? value.apply(frame) : "";
        });
    }

    private static void lrh(String name, Reader reader) {
        FIELDS.put(
                name,
                decoded -> decoded.frame() != null
                                && decoded.frame().encapsulation().isInfiniBand()
                        ? number(reader.at(
                                decoded.frame().segment(), decoded.frame().networkOffset()))
                        : "");
    }

    private static void bth() {
        bth("opcode", (segment, at) -> number(Bth.opcode(segment, at)));
        bth("se", (segment, at) -> bit(Bth.solicited(segment, at)));
        bth("m", (segment, at) -> bit(Bth.migReq(segment, at)));
        bth("padcnt", (segment, at) -> number(Bth.padCount(segment, at)));
        bth("tver", (segment, at) -> number(Bth.transportVersion(segment, at)));
        bth("p_key", (segment, at) -> number(Bth.pKey(segment, at)));
        bth("destqp", (segment, at) -> hex(Bth.destQp(segment, at), 6));
        bth("a", (segment, at) -> bit(Bth.ackReq(segment, at)));
        bth("psn", (segment, at) -> number(Bth.psn(segment, at)));
    }

    private static void bth(String name, Text text) {
        FIELDS.put(
                "infiniband.bth." + name,
                decoded -> decoded.frame() == null
                        ? ""
                        : text.at(decoded.frame().segment(), decoded.frame().bthOffset()));
    }

    private static void extensions() {
        // Wireshark has the address and the key of an atomic under the names of the RETH's.
        FIELDS.put("infiniband.reth.va", decoded -> {
            String va = of(decoded, Reth.class, reth -> hex(reth.virtualAddress(), 16));
            return va.isEmpty() ? of(decoded, AtomicEth.class, atomic -> hex(atomic.virtualAddress(), 16)) : va;
        });
        FIELDS.put("infiniband.reth.r_key", decoded -> {
            String key = of(decoded, Reth.class, reth -> hex(Integer.toUnsignedLong(reth.rKey()), 8));
            return key.isEmpty()
                    ? of(decoded, AtomicEth.class, atomic -> hex(Integer.toUnsignedLong(atomic.rKey()), 8))
                    : key;
        });
        extension("infiniband.reth.dmalen", Reth.class, reth -> Long.toString(reth.dmaLength()));
        extension("infiniband.atomiceth.swapdt", AtomicEth.class, atomic -> Long.toUnsignedString(atomic.swapOrAdd()));
        extension("infiniband.atomiceth.cmpdt", AtomicEth.class, atomic -> Long.toUnsignedString(atomic.compare()));
        extension("infiniband.aeth.syndrome", Aeth.class, aeth -> number(aeth.syndrome()));
        extension("infiniband.aeth.syndrome.opcode", Aeth.class, aeth -> number(aeth.syndrome() >> 5 & 3));
        extension(
                "infiniband.aeth.syndrome.credit_count",
                Aeth.class,
                aeth -> Syndrome.isAck(aeth.syndrome()) ? number(Syndrome.value(aeth.syndrome())) : "");
        extension(
                "infiniband.aeth.syndrome.timer",
                Aeth.class,
                aeth -> Syndrome.isRnrNak(aeth.syndrome()) ? number(Syndrome.value(aeth.syndrome())) : "");
        extension(
                "infiniband.aeth.syndrome.error_code",
                Aeth.class,
                aeth -> Syndrome.isNak(aeth.syndrome()) ? number(Syndrome.value(aeth.syndrome())) : "");
        extension("infiniband.aeth.msn", Aeth.class, aeth -> number(aeth.msn()));
        extension(
                "infiniband.atomicacketh.origremdt",
                AtomicAckEth.class,
                answer -> Long.toUnsignedString(answer.original()));
        extension("infiniband.immdt", ImmDt.class, imm -> String.format(Locale.ROOT, "%08x", imm.data()));
        extension("infiniband.ieth", Ieth.class, ieth -> String.format(Locale.ROOT, "%08x", ieth.rKey()));
        extension("infiniband.deth.q_key", Deth.class, deth -> hex(Integer.toUnsignedLong(deth.qKey()), 16));
        extension("infiniband.deth.srcqp", Deth.class, deth -> hex(deth.sourceQp(), 8));
        FIELDS.put(
                "infiniband.payload",
                decoded -> decoded.packet() == null
                        ? ""
                        : HexFormat.of().formatHex(decoded.packet().payload().toArray(ValueLayout.JAVA_BYTE)));
        FIELDS.put(
                "infiniband.invariant.crc",
                decoded -> decoded.frame() == null || decoded.icrc() == IcrcVerdict.CUT_OFF
                        ? ""
                        : "0x"
                                + HexFormat.of()
                                        .formatHex(decoded.frame()
                                                .segment()
                                                .asSlice(decoded.frame().icrcOffset(), Icrc.LENGTH)
                                                .toArray(ValueLayout.JAVA_BYTE)));
    }

    private static <T extends ExtensionHeader> String of(
            DecodedFrame decoded, Class<T> kind, Function<T, String> value) {
        return decoded.packet() == null
                ? ""
                : decoded.packet().extension(kind).map(value).orElse("");
    }

    private static <T extends ExtensionHeader> void extension(String name, Class<T> kind, Function<T, String> value) {
        FIELDS.put(name, decoded -> of(decoded, kind, value));
    }

    private static void own() {
        FIELDS.put(
                "rdma4j.icrc",
                decoded -> decoded.icrc() == null ? "" : decoded.icrc().text().toLowerCase(Locale.ROOT));
        FIELDS.put(
                "rdma4j.flow",
                decoded -> decoded.place().flow() == null
                        ? ""
                        : number(decoded.place().flow().number()));
        FIELDS.put(
                "rdma4j.relative_psn",
                decoded -> decoded.place().isKnown() ? number(decoded.place().relativePsn()) : "");
        FIELDS.put("rdma4j.again", decoded -> number(decoded.place().again()));
        FIELDS.put("rdma4j.resend", decoded -> decoded.place().resend().id());
        FIELDS.put(
                "rdma4j.cause",
                decoded -> decoded.place().cause() > 0
                        ? Long.toString(decoded.place().cause())
                        : "");
        FIELDS.put(
                "rdma4j.findings",
                decoded -> decoded.findings().stream().map(Finding::line).collect(Collectors.joining("; ")));
    }

    private static String number(int value) {
        return Integer.toString(value);
    }

    private static String bit(boolean value) {
        return value ? "1" : "0";
    }

    private static String hex(long value, int digits) {
        return "0x" + HexFormat.of().toHexDigits(value, digits);
    }
}
