package org.rdma4j.tools.decode;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rdma4j.pcap.CaptureReader;
import org.rdma4j.pcap.CapturedPacket;
import org.rdma4j.pcap.PcapngWriter;
import org.rdma4j.tools.CommandRun;
import org.rdma4j.vectors.Captures;
import org.rdma4j.vectors.Tshark;
import org.rdma4j.wire.Opcode;

/**
 * {@code decode --stats} of every capture of real peers beside tshark's counts, where that is installed. For one run of
 * tshark all captures go into one file, each as an interface of its own.
 */
class TsharkCountsTest {

    /** How wide the column of names is. */
    private static final int NAMES = 36;

    @TempDir
    private Path folder;

    @Test
    void statsCountEachOpcodeAsOftenAsTsharkAndLeaveNoPacketUndecoded() throws IOException, InterruptedException {
        List<Captures.Capture> captures = Captures.all();
        List<Map<String, Long>> theirs = tshark(together(captures), captures.size());
        assertFalse(theirs.stream().allMatch(Map::isEmpty), "tshark sees nothing");
        assertAll(Stream.iterate(0, index -> index < captures.size(), index -> index + 1)
                .map(index -> () -> compare(captures.get(index), theirs.get(index))));
    }

    private void compare(Captures.Capture capture, Map<String, Long> theirs) throws IOException {
        String file =
                Files.write(folder.resolve(capture.name()), capture.bytes()).toString();
        List<String> stats = CommandRun.of("decode", "--stats", file).lines();
        Map<String, Long> ours = new TreeMap<>();
        for (String line : stats.subList(1, stats.indexOf(""))) {
            String[] counts = line.substring(NAMES).strip().split(" +", -1);
            ours.put(line.substring(0, NAMES).strip(), Long.valueOf(counts[0]));
        }
        assertEquals(theirs, ours, capture.name());
        assertFalse(stats.toString().contains("malformed"), capture::name);
    }

    private Path together(List<Captures.Capture> captures) throws IOException {
        Path file = folder.resolve("together.pcapng");
        try (OutputStream stream = new BufferedOutputStream(Files.newOutputStream(file));
                PcapngWriter writer = new PcapngWriter(stream, "test")) {
            for (Captures.Capture capture : captures) {
                try (CaptureReader reader =
                        CaptureReader.open(capture.name(), new ByteArrayInputStream(capture.bytes()))) {
                    int index = -1;
                    while (reader.hasNext()) {
                        CapturedPacket packet = reader.next();
                        index = index < 0 ? writer.addInterface(packet.linkType(), capture.name()) : index;
                        writer.write(index, packet.timestamp(), packet.bytes(), 0, packet.length());
                    }
                }
            }
        }
        return file;
    }

    /** How many packets of each opcode there are, capture by capture. */
    private static List<Map<String, Long>> tshark(Path file, int captures) throws IOException, InterruptedException {
        List<String> lines = Tshark.lines(
                        file,
                        "-Y",
                        "infiniband.bth",
                        "-T",
                        "fields",
                        "-e",
                        "frame.interface_id",
                        "-e",
                        "infiniband.bth.opcode")
                .orElseGet(() -> abort(Tshark.MISSING));
        List<Map<String, Long>> counts =
                Stream.<Map<String, Long>>generate(TreeMap::new).limit(captures).toList();
        lines.stream()
                .map(line -> line.split("\t", -1))
                .forEach(fields -> counts.get(Integer.parseInt(fields[0]))
                        .merge(Opcode.name(Integer.parseInt(fields[1])), 1L, Long::sum));
        return counts;
    }
}
