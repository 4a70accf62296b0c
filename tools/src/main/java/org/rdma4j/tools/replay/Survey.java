package org.rdma4j.tools.replay;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.rdma4j.analysis.Flow;
import org.rdma4j.pcap.CapturedPacket;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;
import org.rdma4j.tools.decode.DecodedFrame;
import org.rdma4j.tools.decode.Decoder;
import org.rdma4j.tools.decode.IcrcVerdict;
import org.rdma4j.tools.decode.Summary;
import org.rdma4j.wire.EthernetHeader;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.RoceFrame;

/** What a capture holds, read once from end to end: its connections, and which flow each frame belongs to. */
final class Survey {

    /** How a frame that is damaged, so that its PSN says nothing, is known to belong to a flow. */
    private record Way(Gid from, Gid to, int destQp, boolean response) {}

    private static final int MOST_LISTED = 8;

    private final List<String> damage;
    private final List<CapturedConnection> connections = new ArrayList<>();
    private final Map<Gid, Long> macs = new HashMap<>();
    private final Map<Way, Flow> ways = new HashMap<>();
    private Flow[] flows = new Flow[1024]; // by frame
    private int frames;

    private Survey(CaptureFile file, int udpPort) throws IOException {
        Decoder decoder = new Decoder(udpPort, new Summary());
        damage = file.read((number, captured) -> take(number, captured, decoder));
        connect(decoder.analyzer().flows());
    }

    static Survey of(CaptureFile file, int udpPort) throws IOException {
        return new Survey(file, udpPort);
    }

    private boolean take(int number, CapturedPacket captured, Decoder decoder) {
        frames = number;
        DecodedFrame decoded = decoder.next(captured);
        if (decoded != null && decoded.frame() != null) {
            RoceFrame roce = decoded.frame();
            Way way = way(roce);
            Flow flow = decoded.place().flow();
            if (flow != null) {
                ways.put(way, flow);
            } else if (decoded.icrc() == IcrcVerdict.WRONG) {
                flow = ways.get(way);
            }
            remember(number, flow);
            if (roce.ethernetOffset() >= 0) {
                macs.putIfAbsent(roce.source(), EthernetHeader.source(roce.segment(), roce.ethernetOffset()));
                macs.putIfAbsent(roce.destination(), EthernetHeader.destination(roce.segment(), roce.ethernetOffset()));
            }
        }
        return true;
    }

    private static Way way(RoceFrame roce) {
        return new Way(roce.source(), roce.destination(), roce.destQp(), Opcode.isResponse(roce.opcode()));
    }

    private void remember(int number, Flow flow) {
        if (flow == null) {
            return;
        }
        if (number >= flows.length) {
            flows = Arrays.copyOf(flows, Math.max(number + 1, 2 * flows.length));
        }
        flows[number] = flow;
    }

    private void connect(List<Flow> all) {
        List<Flow> left = new ArrayList<>(all);
        while (!left.isEmpty()) {
            Flow first = left.removeFirst();
            if (first.destQp() > 1) { // 0 and 1 are those of management
                Flow second = left.stream()
                        .filter(other -> CapturedConnection.areOfOne(first, other))
                        .findFirst()
                        .orElse(null);
                left.remove(second);
                connections.add(CapturedConnection.of(connections.size() + 1, first, second));
            }
        }
    }

    /** What is wrong with the file. */
    List<String> damage() {
        return damage;
    }

    int frames() {
        return frames;
    }

    List<CapturedConnection> connections() {
        return connections;
    }

    /** @throws ToolException listing those that there are, where there is none of this number */
    CapturedConnection connection(Path file, int number) {
        if (number < 1 || number > connections.size()) {
            throw new ToolException(
                    ExitStatus.USAGE, file + " holds no connection " + number + "; " + connectionsInWords());
        }
        return connections.get(number - 1);
    }

    private String connectionsInWords() {
        if (connections.isEmpty()) {
            return "it holds none";
        }
        String some = connections.stream()
                .limit(MOST_LISTED)
                .map(connection -> connection.text().strip().replaceAll(" +", " "))
                .collect(Collectors.joining("; "));
        int more = connections.size() - MOST_LISTED;
        return "there are: " + some + (more > 0 ? "; and " + more + " more (--list)" : "");
    }

    /** The flow that a frame belongs to; {@code null} where none is known. */
    Flow flow(int number) {
        return number < flows.length ? flows[number] : null;
    }

    /** The MAC address that a host's frames had; {@code null} where the capture has no Ethernet. */
    Long mac(Gid host) {
        return macs.get(host);
    }
}
