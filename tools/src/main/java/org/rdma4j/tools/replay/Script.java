package org.rdma4j.tools.replay;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.rdma4j.analysis.Flow;
import org.rdma4j.pcap.CapturedPacket;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;
import org.rdma4j.wire.FrameParser;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.RoceFrame;
import org.rdma4j.wire.TcpEnds;
import org.rdma4j.wire.TcpFrame;
import org.rdma4j.wire.TcpHeader;

/**
 * What one side of a connection did in a capture, and what its peer did, in their order: the exchange over TCP, and the
 * packets of all connections that it was about.
 */
final class Script {

    private final List<ScriptEvent> events = new ArrayList<>();
    private final List<Part> parts = new ArrayList<>();

    private Script() {}

    /**
     * @param part makes the part of a connection
     * @throws ToolException where the capture does not hold the exchange of that connection
     */
    static Script of(
            CaptureFile file,
            Survey survey,
            CapturedConnection chosen,
            Role role,
            int udpPort,
            Function<CapturedConnection, Part> part)
            throws IOException {
        Script script = new Script();
        List<Turn> turns;
        boolean asOpener;
        if (chosen.isByCm()) {
            turns = cmTurns(file, chosen, udpPort);
            asOpener = role == Role.CLIENT;
            script.parts.add(part.apply(chosen));
        } else {
            Dialogue dialogue = dialogue(file, chosen, role, udpPort);
            turns = dialogue.turns();
            asOpener = isTold(dialogue, chosen, role, true);
            survey.connections().stream()
                    .filter(connection -> isTold(dialogue, connection, role, asOpener))
                    .forEach(connection -> script.parts.add(part.apply(connection)));
        }
        for (Turn turn : turns) {
            script.events.add(
                    turn.byOpener() == asOpener
                            ? new ScriptEvent.Say(turn.first(), turn)
                            : new ScriptEvent.Hear(turn.last(), turn));
        }
        file.read((number, captured) -> script.frame(number, captured, survey.flow(number), udpPort));
        script.parts.forEach(each -> each.answers().prepared());
        script.events.sort(Comparator.comparingInt(ScriptEvent::frame));
        return script;
    }

    private static List<Turn> cmTurns(CaptureFile file, CapturedConnection chosen, int udpPort) throws IOException {
        CmDialogue dialogue = new CmDialogue(chosen);
        file.read((number, captured) -> {
            if (FrameParser.parse(captured.bytes(), 0, captured.length(), captured.linkType(), udpPort)
                    instanceof RoceFrame roce) {
                dialogue.packet(number, captured, roce);
            }
            return true;
        });
        return dialogue.turns();
    }

    private static Dialogue dialogue(CaptureFile file, CapturedConnection chosen, Role role, int udpPort)
            throws IOException {
        List<Dialogue> all = new ArrayList<>();
        Map<TcpEnds, Dialogue> open = new HashMap<>(); // by the opener's view
        file.read((number, captured) -> {
            if (FrameParser.parse(captured.bytes(), 0, captured.length(), captured.linkType(), udpPort)
                    instanceof TcpFrame tcp) {
                segment(number, captured.timestamp(), tcp, open, all);
            }
            return true;
        });
        Dialogue found = all.stream()
                .filter(each -> isTold(each, chosen, role, true) || isTold(each, chosen, role, false))
                .findFirst()
                .orElseThrow(() -> new ToolException(
                        ExitStatus.FAILED,
                        file.path() + " does not hold what the ends of connection " + chosen.number()
                                + " said over TCP beforehand" + how(chosen) + ": there is no way to act one of them"));
        if (found.loss() != null) {
            throw new ToolException(ExitStatus.FAILED, file.path() + ": of the exchange over TCP " + found.loss());
        }
        return found;
    }

    private static String how(CapturedConnection connection) {
        return connection.said() == null ? "" : " (its numbers are told by " + connection.said() + ")";
    }

    private static void segment(int number, long time, TcpFrame tcp, Map<TcpEnds, Dialogue> open, List<Dialogue> all) {
        TcpEnds ends = tcp.ends();
        boolean opens = (tcp.flags() & (TcpHeader.SYN | TcpHeader.ACK)) == TcpHeader.SYN;
        boolean isOpeners = opens || open.containsKey(ends) || !open.containsKey(ends.back());
        TcpEnds key = isOpeners ? ends : ends.back();
        Dialogue dialogue = open.get(key);
        if (dialogue == null || opens && !dialogue.turns().isEmpty()) {
            open.remove(key.back());
            dialogue = new Dialogue();
            open.put(key, dialogue);
            all.add(dialogue);
        }
        dialogue.segment(number, time, tcp, isOpeners);
    }

    private static boolean isTold(Dialogue dialogue, CapturedConnection connection, Role role, boolean asOpener) {
        return dialogue.tells(asOpener, role.own(connection)) && dialogue.tells(!asOpener, role.peer(connection));
    }

    private boolean frame(int number, CapturedPacket captured, Flow flow, int udpPort) {
        Part part = parts.stream()
                .filter(each -> each.connection().has(flow))
                .findFirst()
                .orElse(null);
        if (part == null) {
            return true;
        }
        if (FrameParser.parse(captured.bytes(), 0, captured.length(), captured.linkType(), udpPort)
                instanceof RoceFrame roce) {
            packet(number, captured, roce, part, flow);
            return true;
        }
        throw new ToolException(
                ExitStatus.FAILED,
                "frame " + number + " of connection " + part.connection().number()
                        + " is not whole in the capture: it cannot be sent, or compared, as it was");
    }

    private void packet(int number, CapturedPacket captured, RoceFrame roce, Part part, Flow flow) {
        boolean isRequest = Opcode.isRequest(roce.opcode());
        boolean isOwn = isRequest == (flow == part.ownFlow());
        Packet packet = roce.icrcIsRight() && roce.packet() instanceof Packet whole ? whole : null;
        if (isOwn) {
            events.add(new ScriptEvent.Send(number, part, captured, roce, flow));
            if (packet != null && isRequest) {
                part.answers().requested(packet);
            }
        } else if (packet != null) { // a damaged one told the acted side nothing
            Answers.Expected expected = part.answers().captured(number, packet);
            events.add(new ScriptEvent.Expect(number, part, expected));
        }
    }

    List<ScriptEvent> events() {
        return events;
    }

    /** The connections, the chosen one among them. */
    List<Part> parts() {
        return parts;
    }
}
