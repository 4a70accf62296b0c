package org.rdma4j.analysis;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.rdma4j.wire.Opcode;

/** Whether requests keep the rules of lengths, order and keys, as far as a capture shows. Each trouble is said once or at each message. */
final class RequestChecks {

    private static final int MOST_KEYS = 256;
    private static final long STALL_NANOS = 1_000_000;

    private final Flow flow;
    private final Set<Integer> strangeKeys = new HashSet<>();
    private int bytesPerPacket;
    private int openOpcode = -1;
    private boolean isOrderKnown = true;
    private int migReq = -1;
    private int sourcePort = -1;
    private long lastTime;

    RequestChecks(Flow flow) {
        this.flow = flow;
    }

    /** @param isNext true for a packet that follows without a gap on all before */
    void check(PacketView packet, Message message, boolean isNext, Findings findings) {
        length(packet, findings);
        if (flow.service() != Opcode.UD) {
            order(packet, isNext, findings);
            total(packet, message, isNext, findings);
        }
        key(packet, findings);
        path(packet, findings);
        credits(packet, isNext, findings);
        lastTime = packet.time;
    }

    private void length(PacketView packet, Findings findings) {
        boolean isFull = Opcode.isFirst(packet.opcode) || Opcode.isMiddle(packet.opcode);
        int payload = packet.payload;
        String name = Opcode.name(packet.opcode);
        if (!isFull) {
            int most = bytesPerPacket;
            if (most > 0 && payload > most && Opcode.isLastOrOnly(packet.opcode)) {
                findings.add(
                        FindingKind.PATH_MTU,
                        packet,
                        0,
                        flow,
                        () -> name + " of " + payload + " bytes, and full packets have " + most);
            }
            if (payload == 0 && Opcode.isLast(packet.opcode)) {
                findings.add(FindingKind.LENGTH, packet, 0, flow, () -> name + " without payload");
            }
            return;
        }
        int before = bytesPerPacket;
        boolean isMtu = payload >= 256 && payload <= 4096 && Integer.bitCount(payload) == 1;
        if (!isMtu || before > 0 && payload != before) {
            findings.add(
                    FindingKind.PATH_MTU,
                    packet,
                    0,
                    flow,
                    () -> name + " of " + payload + " bytes"
                            + (isMtu ? ", and those before had " + before : ": no path MTU"));
        }
        if (packet.padCount != 0) {
            int pad = packet.padCount;
            findings.add(FindingKind.LENGTH, packet, 0, flow, () -> name + " with " + pad + " bytes of pad");
        }
        Announcement said = flow.announcement();
        if (before == 0 && isMtu && said != null && said.mtu() > 0 && said.mtu() != payload) {
            findings.add(
                    FindingKind.PATH_MTU,
                    packet,
                    said.frame(),
                    flow,
                    () -> "full packets have " + payload + " bytes, " + said.said() + " had agreed on " + said.mtu());
        }
        bytesPerPacket = payload;
    }

    private void order(PacketView packet, boolean isNext, Findings findings) {
        int opcode = packet.opcode;
        if (!isNext) {
            isOrderKnown &= flow.requests.ahead(packet.psn) < -1;
            return;
        }
        boolean isStart = Opcode.isFirstOrOnly(opcode);
        boolean isSame = openOpcode >= 0 && Opcode.isSend(openOpcode) == Opcode.isSend(opcode);
        if (isOrderKnown && (isStart ? openOpcode >= 0 : !isSame)) {
            int before = openOpcode;
            findings.add(
                    FindingKind.OPCODE_SEQUENCE,
                    packet,
                    0,
                    flow,
                    () -> Opcode.name(opcode)
                            + (before < 0
                                    ? " where no message is open"
                                    : " within a message that is at " + Opcode.name(before)));
        }
        isOrderKnown = true;
        openOpcode = Opcode.isLastOrOnly(opcode) ? -1 : opcode;
    }

    private void total(PacketView packet, Message message, boolean isNext, Findings findings) {
        if (!isNext || message == null || !Opcode.isWrite(packet.opcode) || !Opcode.isLastOrOnly(packet.opcode)) {
            return;
        }
        long bytes = message.bytesUpTo(packet.psn, packet.payload);
        long said = message.length();
        if (bytes >= 0 && bytes != said) {
            findings.add(
                    FindingKind.LENGTH,
                    packet,
                    0,
                    flow,
                    () -> "the WRITE has " + bytes + " bytes, its RETH says " + said);
        }
    }

    private void key(PacketView packet, Findings findings) {
        Announcement said = flow.announcement();
        if (said == null || said.rKey() == 0 || !Opcode.hasReth(packet.opcode) || packet.rKey == said.rKey()) {
            return;
        }
        if (packet.length > 0 && strangeKeys.size() < MOST_KEYS && strangeKeys.add(packet.rKey)) {
            int key = packet.rKey;
            findings.add(
                    FindingKind.R_KEY_UNKNOWN,
                    packet,
                    said.frame(),
                    flow,
                    () -> String.format(
                            Locale.ROOT, "R_Key 0x%08x; the %s exchange named 0x%08x", key, said.said(), said.rKey()));
        }
    }

    private void path(PacketView packet, Findings findings) {
        int m = packet.migReq ? 1 : 0;
        if (migReq >= 0 && m != migReq) {
            findings.add(
                    FindingKind.MIG_REQ, packet, 0, flow, () -> "MigReq is " + m + ", and was " + (1 - m) + " before");
        }
        migReq = m;
        int port = packet.roce.udpSourcePort();
        if (sourcePort >= 0 && port != sourcePort && flow.service() != Opcode.UD) {
            int before = sourcePort;
            findings.add(
                    FindingKind.PORT_REHASH,
                    packet,
                    0,
                    flow,
                    () -> "the UDP source port is " + port + ", and was " + before
                            + " before: packets may take another path and overtake");
        }
        sourcePort = port;
    }

    private void credits(PacketView packet, boolean isNext, Findings findings) {
        boolean needsReceive = Opcode.isSend(packet.opcode) && Opcode.isFirstOrOnly(packet.opcode);
        long waited = packet.time - lastTime;
        if (isNext && needsReceive && flow.figures().lastCredits == 0 && waited > STALL_NANOS) {
            findings.add(
                    FindingKind.CREDIT_STALL,
                    packet,
                    0,
                    flow,
                    () -> String.format(
                            Locale.ROOT,
                            "the last acknowledge granted no receive: the requester stood still for %.3f ms (inferred)",
                            waited / 1e6));
        }
    }
}
