package org.rdma4j.tools.conform.mutant;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.CmDreq;
import org.rdma4j.wire.CmMad;
import org.rdma4j.wire.CmRej;
import org.rdma4j.wire.CmRep;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.Deth;
import org.rdma4j.wire.MadHeader;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.ParsedMad;

/** What mutants do to datagrams of connection management. */
final class CmTampers {

    private static final int MAD = Bth.LENGTH + Deth.LENGTH;
    private static final int METHOD_GET_RESP = 0x81;
    private static final int MESSAGE = MAD + MadHeader.LENGTH;

    private CmTampers() {}

    /** True for a message of this attribute. */
    static Predicate<Tampered> message(int attributeId) {
        return it -> isMad(it)
                && it.get(MAD + MadHeader.ATTRIBUTE_ID_OFFSET + 1) == attributeId
                && it.get(MAD + MadHeader.CLASS_VERSION_OFFSET) == MadHeader.CM_CLASS_VERSION;
    }

    /** True for any datagram to queue pair 1. */
    static boolean isMad(Tampered packet) {
        return packet.opcode() == Opcode.UD_SEND_ONLY && (packet.get32(4) & 0xFF_FFFF) == MadHeader.GSI_QPN;
    }

    static ParsedMad parse(Tampered packet) {
        return CmMad.parse(MemorySegment.ofArray(packet.bytes()), MAD, packet.length() - MAD);
    }

    static int method(Tampered packet) {
        return packet.get(MAD + MadHeader.METHOD_OFFSET);
    }

    /** True for a datagram to queue pair 1 that has not its Q_Key. */
    static boolean hasOtherKey(Tampered packet) {
        return isMad(packet) && packet.get32(Bth.LENGTH) != MadHeader.GSI_Q_KEY;
    }

    /** A byte of the message, counted behind the MAD's header, becomes another in these bits. */
    static Consumer<Tampered> flip(int offset, int bits) {
        return it -> it.set(MESSAGE + offset, it.get(MESSAGE + offset) ^ bits);
    }

    static Consumer<Tampered> put(int offset, int value) {
        return it -> it.set(MESSAGE + offset, value);
    }

    /** Some bits of a byte of the message. */
    static Consumer<Tampered> bits(int offset, int mask, int value) {
        return it -> it.set(MESSAGE + offset, it.get(MESSAGE + offset) & ~mask | value);
    }

    /** A path MTU of 1024 is one of 512. */
    static Consumer<Tampered> smallerMtu() {
        return bits(50, 0xF0, 0x20);
    }

    /** A path whose hop limit is 0 leads to another port. */
    static Consumer<Tampered> hopless() {
        return it -> {
            if (it.get(MESSAGE + 93) == 0) {
                flip(87, 0x40).accept(it);
            }
        };
    }

    /** The addressee's ID is what it was in the message before, whatever is said. */
    static Consumer<Tampered> rightId() {
        return flip(7, 0x10);
    }

    /** Every Q_Key is that of queue pair 1. */
    static Consumer<Tampered> rightKey() {
        return it -> it.set(Bth.LENGTH, 0x80)
                .set(Bth.LENGTH + 1, 0x01)
                .set(Bth.LENGTH + 2, 0)
                .set(Bth.LENGTH + 3, 0);
    }

    /** Every message of a kind is sent twice. */
    static Tamper twice(Predicate<Tampered> kind) {
        return new Tamper() {
            @Override
            public void fromDevice(Tampered packet, Ways ways) {
                if (kind.test(packet)) {
                    ways.fromDevice(packet.copy());
                }
                ways.fromDevice(packet);
            }
        };
    }

    /** A byte of the MAD's header. */
    static Consumer<Tampered> header(int offset, int value) {
        return it -> it.set(MAD + offset, value);
    }

    static Consumer<Tampered> flipHeader(int offset, int bits) {
        return it -> it.set(MAD + offset, it.get(MAD + offset) ^ bits);
    }

    /** The reason of a REJ. */
    static Predicate<Tampered> reject(int reason) {
        return message(0x12).and(it -> it.get(MESSAGE + 11) == reason);
    }

    /** Of packets of one kind only the first comes through; {@code change} is made to those behind it, none: they are lost. */
    static Tamper behindFirst(Predicate<Tampered> kind, boolean fromDevice, Consumer<Tampered> change) {
        Predicate<Tampered> again = again(kind);
        return new Tamper() {
            @Override
            public void fromDevice(Tampered packet, Ways ways) {
                if (!fromDevice || passes(packet)) {
                    ways.fromDevice(packet);
                }
            }

            @Override
            public void toDevice(Tampered packet, Ways ways) {
                if (fromDevice || passes(packet)) {
                    ways.toDevice(packet);
                }
            }

            private boolean passes(Tampered packet) {
                if (!again.test(packet)) {
                    return true;
                }
                if (change != null) {
                    change.accept(packet);
                }
                return change != null;
            }
        };
    }

    /** True for a packet of a kind where one of that kind has gone before between the same two IDs. */
    static Predicate<Tampered> again(Predicate<Tampered> kind) {
        Set<Integer> seen = new HashSet<>();
        return packet -> kind.test(packet) && !seen.add(ids(packet));
    }

    /** A packet of this kind is taken, and brings forth a datagram of connection management as well that it should not. */
    static Tamper answers(Predicate<Tampered> kind, Consumer<Tampered> with) {
        return new Tamper() {
            @Override
            public void toDevice(Tampered packet, Ways ways) {
                if (kind.test(packet)) {
                    Tampered answer = packet.copy().resize(MAD + MadHeader.MAD_LENGTH);
                    with.accept(answer);
                    ways.fromDevice(answer);
                }
                ways.toDevice(packet);
            }
        };
    }

    /** A packet becomes a REJ of reason 28 in a transaction that nobody has begun, between IDs that nobody has. */
    static void becomesRejectOfNobody(Tampered packet) {
        becomesManagement(packet);
        MadHeader.cm(~packet.get32(MAD + MadHeader.TRANSACTION_ID_OFFSET), CmRej.ATTRIBUTE_ID, 0)
                .emit(MemorySegment.ofArray(packet.bytes()), MAD);
        Arrays.fill(packet.bytes(), MESSAGE, MAD + MadHeader.MAD_LENGTH, (byte) 0);
        packet.set32(MESSAGE, 0x0BAD_0001).set32(MESSAGE + 4, 0x0BAD_0002).set(MESSAGE + 11, 28);
    }

    /** A packet becomes an answer in its own transaction, by a method that connection management has not. */
    static void becomesGetResp(Tampered packet) {
        becomesManagement(packet);
        header(MadHeader.METHOD_OFFSET, METHOD_GET_RESP).accept(packet);
    }

    private static void becomesManagement(Tampered packet) {
        packet.opcode(Opcode.UD_SEND_ONLY).pad(0);
        Bth.setDestQp(MemorySegment.ofArray(packet.bytes()), 0, MadHeader.GSI_QPN);
        new Deth(MadHeader.GSI_Q_KEY, MadHeader.GSI_QPN).emit(MemorySegment.ofArray(packet.bytes()), Bth.LENGTH);
    }

    /** A DREQ that names another queue pair than the connection's is answered by what nobody has asked for. */
    static Tamper answersForeignDisconnects() {
        Set<Integer> qpns = new HashSet<>();
        Tamper answers = answers(
                message(CmDreq.ATTRIBUTE_ID).and(packet -> !qpns.contains(packet.get32(MESSAGE + 8) >>> 8)),
                CmTampers::becomesRejectOfNobody);
        return new Tamper() {
            @Override
            public void toDevice(Tampered packet, Ways ways) {
                answers.toDevice(packet, ways);
            }

            @Override
            public void fromDevice(Tampered packet, Ways ways) {
                if (message(CmRep.ATTRIBUTE_ID).test(packet)) {
                    qpns.add(packet.get32(MESSAGE + 12) >>> 8);
                }
                ways.fromDevice(packet);
            }
        };
    }

    /** A queue pair that asks for a connection of another ID than before is taken for another queue pair. */
    static Tamper takesQueuePairsForOthers() {
        return new Tamper() {
            private final Map<Integer, Integer> idsOfQueuePairs = new HashMap<>();

            @Override
            public void toDevice(Tampered packet, Ways ways) {
                if (message(CmReq.ATTRIBUTE_ID).test(packet)) {
                    int id = packet.get32(MESSAGE);
                    Integer first = idsOfQueuePairs.putIfAbsent(packet.get32(MESSAGE + 32) >>> 8, id);
                    if (first != null && first != id) {
                        flip(33, 0x80).accept(packet);
                    }
                }
                ways.toDevice(packet);
            }
        };
    }

    /** The two communication IDs in one. */
    private static int ids(Tampered packet) {
        int ids = 0;
        for (int at = 0; at < 8; at++) {
            ids = 31 * ids + packet.get(MESSAGE + at);
        }
        return ids;
    }
}
