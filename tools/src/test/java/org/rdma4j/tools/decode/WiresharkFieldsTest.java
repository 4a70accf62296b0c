package org.rdma4j.tools.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.tools.CommandRun;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.vectors.Captures;
import org.rdma4j.vectors.Tshark;

/** {@code decode -e} beside {@code tshark -T fields -e}, where that is installed. */
class WiresharkFieldsTest {

    private static final List<String> FIELDS = List.of(
            "frame.number",
            "frame.len",
            "frame.time_epoch",
            "eth.src",
            "eth.dst",
            "ip.src",
            "ip.dst",
            "ip.id",
            "ip.ttl",
            "ipv6.src",
            "udp.srcport",
            "udp.length",
            "infiniband.bth.opcode",
            "infiniband.bth.se",
            "infiniband.bth.m",
            "infiniband.bth.padcnt",
            "infiniband.bth.p_key",
            "infiniband.bth.destqp",
            "infiniband.bth.a",
            "infiniband.bth.psn",
            "infiniband.reth.va",
            "infiniband.reth.r_key",
            "infiniband.reth.dmalen",
            "infiniband.aeth.msn",
            "infiniband.aeth.syndrome.opcode",
            "infiniband.atomiceth.swapdt",
            "infiniband.atomicacketh.origremdt",
            "infiniband.deth.srcqp",
            "infiniband.invariant.crc");

    @TempDir
    private Path folder;

    static List<Captures.Capture> captures() {
        return Captures.all();
    }

    private String file(String name) throws IOException {
        return Files.write(folder.resolve(name), Captures.read(name)).toString();
    }

    private static List<String> tshark(String file, List<String> fields) throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(List.of("-Y", "infiniband", "-T", "fields"));
        fields.forEach(field -> options.addAll(List.of("-e", field)));
        return Tshark.lines(Path.of(file), options.toArray(String[]::new)).orElseGet(() -> abort(Tshark.MISSING));
    }

    private static List<String> ours(String file, List<String> fields) {
        List<String> command = new ArrayList<>(List.of("decode"));
        fields.forEach(field -> command.addAll(List.of("-e", field)));
        command.add(file);
        return CommandRun.of(command.toArray(String[]::new)).lines();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rxe-ipv6-rping.pcap", "rxe-atomic-CMP_AND_SWAP.pcap", "rxe-loss8-read.pcap"})
    void printsWhatTsharkPrints(String name) throws IOException, InterruptedException {
        String file = file(name);
        assertEquals(tshark(file, FIELDS), ours(file, FIELDS));
    }

    @ParameterizedTest
    @MethodSource("captures")
    void countsAsManyPacketsOfEachOpcodeAsTsharkDid(Captures.Capture capture) throws IOException {
        Map<Integer, Integer> counts = new TreeMap<>();
        ours(file(capture.name()), List.of("infiniband.bth.opcode"))
                .forEach(opcode -> counts.merge(Integer.valueOf(opcode), 1, Integer::sum));
        assertEquals(new TreeMap<>(capture.opcodes()), counts);
    }

    @Test
    void anUnknownFieldIsNamed() throws IOException {
        CommandRun run = CommandRun.of("decode", "-e", "infiniband.bth.spn", file("rxe-cm-reject.pcap"));
        assertEquals(ExitStatus.USAGE, run.status());
        assertTrue(run.err().contains("no field is called 'infiniband.bth.spn'"), run.err());
        assertTrue(CommandRun.of("decode", "-e", "help", "any").lines().contains("infiniband.bth.psn"));
    }
}
