package org.rdma4j.rocev2.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rdma4j.link.LinkException;
import org.rdma4j.pcap.LinkType;
import org.rdma4j.rocev2.packet.Namespace;
import org.rdma4j.rocev2.pcap4j.PcapLink;
import org.rdma4j.wire.FrameParser;
import org.rdma4j.wire.OtherFrame;
import org.rdma4j.wire.ParsedFrame;
import org.rdma4j.wire.RoceFrame;

/** Captures on a cable of the kernel's, in a network of its own. */
class FrameCaptureTest {

    private static final int ROCE = 4791;
    private static final int OTHER = 4792;
    private static final int PACKETS = 20;

    /** BTH and ICRC, and no more. */
    private static final int LENGTH = 16;

    private static void assumeThere(FrameCaptures.By by) {
        assumeTrue(by != FrameCaptures.By.PCAP4J || PcapLink.unsupportedReason() == null, "no libpcap");
    }

    private static void send(int port) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            byte[] bytes = new byte[LENGTH];
            for (int packet = 0; packet < PACKETS; packet++) {
                bytes[11] = (byte) packet;
                socket.send(new DatagramPacket(bytes, LENGTH, InetAddress.getByName("10.5.0.2"), port));
            }
        }
    }

    private static void address() throws IOException, InterruptedException {
        for (String line :
                List.of("addr add 10.5.0.1/24 dev va", "neigh add 10.5.0.2 lladdr 52:54:00:00:00:02 dev va")) {
            List<String> command = new ArrayList<>(List.of("ip"));
            command.addAll(List.of(line.split(" ")));
            assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor(), line);
        }
    }

    private static List<ParsedFrame> captured(FrameCapture capture, int wanted, List<Long> times) {
        List<ParsedFrame> frames = new ArrayList<>();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (frames.size() < wanted && System.nanoTime() < deadline) {
            int found = capture.poll((time, memory, at, length, original) -> {
                byte[] copy = new byte[length];
                MemorySegment.copy(memory, at, MemorySegment.ofArray(copy), 0, length);
                frames.add(FrameParser.parse(MemorySegment.ofArray(copy), 0, length, LinkType.ETHERNET));
                times.add(time);
                assertTrue(original >= length);
            });
            if (found == 0) {
                capture.await(10_000_000);
            }
        }
        return frames;
    }

    @ParameterizedTest
    @EnumSource(FrameCaptures.By.class)
    void hearsRoceAndNothingElse(FrameCaptures.By by) throws Throwable {
        assumeThere(by);
        Namespace.withVethPair(1500, () -> {
            address();
            List<Long> times = new ArrayList<>();
            try (FrameCapture capture = FrameCaptures.open("va", new CaptureChoice(false, ROCE, List.of()), by)) {
                send(OTHER);
                send(ROCE);
                List<ParsedFrame> frames = captured(capture, PACKETS, times);
                assertEquals(PACKETS, frames.size());
                assertTrue(frames.stream().allMatch(RoceFrame.class::isInstance), frames::toString);
                assertEquals(0, capture.dropped());
            }
            long now = System.currentTimeMillis() * 1_000_000;
            assertTrue(times.stream().allMatch(time -> Math.abs(now - time) < 60_000_000_000L), times::toString);
            assertEquals(times.stream().sorted().toList(), times);
        });
    }

    @ParameterizedTest
    @EnumSource(FrameCaptures.By.class)
    void hearsEverythingWhenAsked(FrameCaptures.By by) throws Throwable {
        assumeThere(by);
        Namespace.withVethPair(1500, () -> {
            address();
            try (FrameCapture capture = FrameCaptures.open("va", new CaptureChoice(true, ROCE, List.of()), by)) {
                send(OTHER);
                List<ParsedFrame> frames = captured(capture, PACKETS, new ArrayList<>());
                assertTrue(frames.contains(new OtherFrame("UDP port " + OTHER)), frames::toString);
            }
        });
    }

    /** RoCE has no IPv4 options: whoever looks for what is wrong wants to see them. */
    @Test
    void hearsWhatComesBehindIpv4Options() throws Throwable {
        Namespace.withVethPair(1500, () -> {
            byte[] frame = new byte[14 + 24 + 8 + LENGTH];
            frame[12] = 0x08;
            frame[14] = 0x46; // version 4, six words
            frame[17] = 24 + 8 + LENGTH;
            frame[23] = 17;
            frame[40] = (byte) (ROCE >> 8);
            frame[41] = (byte) ROCE;
            try (FrameCapture capture = FrameCaptures.open(
                            "va", new CaptureChoice(false, ROCE, List.of()), FrameCaptures.By.PACKET);
                    FrameInjection injection = FrameCaptures.inject("va", FrameCaptures.By.PACKET)) {
                injection.send(MemorySegment.ofArray(frame));
                assertEquals(
                        List.of(new OtherFrame("UDP behind IPv4 options, which RoCE has not")),
                        captured(capture, 1, new ArrayList<>()));
            }
        });
    }

    @Test
    void anInterfaceThatIsNotThereIsNamed() {
        LinkException refused = assertThrows(
                LinkException.class,
                () -> FrameCaptures.open(
                        "nothere", new CaptureChoice(false, ROCE, List.of()), FrameCaptures.By.PACKET));
        assertTrue(refused.getMessage().contains("nothere"), refused.getMessage());
    }
}
