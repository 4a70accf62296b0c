package org.rdma4j.tools.decode;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.rdma4j.analysis.FindingKind;
import org.rdma4j.iwarp.capture.CapturedUnit;
import org.rdma4j.iwarp.capture.CrcVerdict;
import org.rdma4j.tools.PlainModel;
import org.rdma4j.wire.Deth;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.IpText;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.RoceFrame;
import picocli.CommandLine.Model.CommandSpec;

/** The options that choose among packets; a packet is shown where all that are given choose it. */
final class Filter {

    private List<String> queuePairs = List.of();
    private String host;
    private String opcode;
    private String finding;
    private Map<String, String> terms = Map.of();
    private boolean wrong;

    void addOptions(CommandSpec spec) {
        spec.addOption(PlainModel.list(value -> queuePairs = value, "--qp")
                .paramLabel("QPN")
                .description("Only packets to or (UD) from these queue pairs: 0x11,0x12.")
                .build());
        spec.addOption(PlainModel.option(String.class, null, value -> host = value, "--host")
                .paramLabel("ADDR")
                .description("Only packets to or from this address.")
                .build());
        spec.addOption(PlainModel.option(String.class, null, value -> opcode = value, "--opcode")
                .paramLabel("TEXT")
                .description("Only packets whose opcode's name contains this: WRITE, \"RC ACK\".")
                .build());
        spec.addOption(PlainModel.option(String.class, null, value -> finding = value, "--finding")
                .paramLabel("KIND")
                .description(
                        "Only packets in which this was found: nak, gap, retransmission, any; a part of its name is enough.")
                .build());
        spec.addOption(PlainModel.map(value -> terms = value, "--filter")
                .paramLabel("KEY=VALUE")
                .description("The same in one option: qp=0x11,host=10.0.0.1,opcode=WRITE,finding=nak.")
                .build());
        spec.addOption(PlainModel.flag(value -> wrong = value, "--wrong")
                .description("Only packets with a wrong ICRC, malformed ones, and those that carry a comment.")
                .build());
    }

    /** @throws IllegalArgumentException with a message for the user */
    void check() {
        terms.forEach(this::term);
        queuePairs.forEach(Filter::number);
    }

    private void term(String key, String value) {
        switch (key.toLowerCase(Locale.ROOT)) {
            case "qp" -> queuePairs = List.of(value.split("[+|]"));
            case "host" -> host = value;
            case "opcode" -> opcode = value;
            case "finding" -> finding = value;
            default ->
                throw new IllegalArgumentException(
                        "'" + key + "' is nothing to filter by: qp, host, opcode, finding are");
        }
    }

    /** True where all packets are chosen. */
    boolean isEmpty() {
        return queuePairs.isEmpty() && host == null && opcode == null && finding == null && !wrong;
    }

    boolean matches(DecodedFrame decoded) {
        if (isEmpty()) {
            return true;
        }
        if (!hasFinding(decoded)) {
            return false;
        }
        if (decoded.frame() == null) {
            return queuePairs.isEmpty() && host == null && opcode == null && isWrong(decoded);
        }
        return matchesQp(decoded) && matchesHost(decoded.frame()) && matchesOpcode(decoded.frame()) && isWrong(decoded);
    }

    /** Whether a unit of iWARP is chosen; it has no queue pair number. What was found stands with its frame's last unit. */
    boolean matches(IwarpFrame frame, CapturedUnit unit) {
        boolean isWrong = unit instanceof CapturedUnit.Lost
                || unit instanceof CapturedUnit.Fpdu fpdu
                        && (fpdu.crc() == CrcVerdict.WRONG || IwarpText.isMalformed(fpdu));
        return queuePairs.isEmpty()
                && (finding == null
                        || frame.endsWith(unit) && frame.findings().stream().anyMatch(this::isMeant))
                && (host == null
                        || isEnd(frame.tcp().source())
                        || isEnd(frame.tcp().destination()))
                && (opcode == null
                        || IwarpText.name(unit).toUpperCase(Locale.ROOT).contains(opcode.toUpperCase(Locale.ROOT)))
                && (!wrong || isWrong || !frame.captured().comments().isEmpty());
    }

    private boolean isEnd(Gid gid) {
        return host.equals(IpText.of(gid.toAddress()));
    }

    /** A finding of the frame, or what was found where its resend began. */
    private boolean hasFinding(DecodedFrame decoded) {
        if (finding == null) {
            return true;
        }
        String wanted = finding.toLowerCase(Locale.ROOT);
        boolean isResent = decoded.place().resend().isRetransmission()
                && FindingKind.RETRANSMISSION.id().contains(wanted);
        return isResent
                || decoded.findings().stream()
                        .anyMatch(
                                each -> wanted.equals("any") || each.kind().id().contains(wanted));
    }

    /** By its severity or its rule. */
    private boolean isMeant(IwarpFinding found) {
        String wanted = finding.toLowerCase(Locale.ROOT);
        return wanted.equals("any")
                || wanted.equals(found.severity().text())
                || found.id().toLowerCase(Locale.ROOT).contains(wanted);
    }

    private boolean matchesQp(DecodedFrame decoded) {
        if (queuePairs.isEmpty()) {
            return true;
        }
        int destination = decoded.frame().destQp();
        int source = decoded.packet() == null
                ? destination
                : decoded.packet().extension(Deth.class).map(Deth::sourceQp).orElse(destination);
        return queuePairs.stream().map(Filter::number).anyMatch(wanted -> wanted == destination || wanted == source);
    }

    private boolean matchesHost(RoceFrame frame) {
        return host == null
                || host.equals(NetworkHeaders.end(frame, frame.source()))
                || host.equals(NetworkHeaders.end(frame, frame.destination()));
    }

    private boolean matchesOpcode(RoceFrame frame) {
        return opcode == null || Opcode.name(frame.opcode()).contains(opcode.toUpperCase(Locale.ROOT));
    }

    private boolean isWrong(DecodedFrame decoded) {
        return !wrong
                || decoded.malformed() != null
                || decoded.icrc() == IcrcVerdict.WRONG
                || !decoded.captured().comments().isEmpty();
    }

    private static int number(String text) {
        try {
            return Integer.decode(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is no queue pair number: write it as 0x11 or 17", e);
        }
    }
}
