package org.rdma4j.tools.conform.mutant;

import static org.rdma4j.tools.conform.mutant.CmTampers.flip;
import static org.rdma4j.tools.conform.mutant.CmTampers.flipHeader;
import static org.rdma4j.tools.conform.mutant.CmTampers.header;
import static org.rdma4j.tools.conform.mutant.CmTampers.message;
import static org.rdma4j.tools.conform.mutant.CmTampers.put;
import static org.rdma4j.tools.conform.mutant.CmTampers.reject;
import static org.rdma4j.tools.conform.mutant.Mutant.ignores;
import static org.rdma4j.tools.conform.mutant.Mutant.omits;
import static org.rdma4j.tools.conform.mutant.Mutant.repeats;
import static org.rdma4j.tools.conform.mutant.Mutant.sends;
import static org.rdma4j.tools.conform.mutant.Mutant.takes;
import static org.rdma4j.tools.conform.mutant.Mutant.tampered;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.rdma4j.wire.CmApr;
import org.rdma4j.wire.CmDrep;
import org.rdma4j.wire.CmDreq;
import org.rdma4j.wire.CmMad;
import org.rdma4j.wire.CmMra;
import org.rdma4j.wire.CmRej;
import org.rdma4j.wire.CmRep;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.CmRtu;
import org.rdma4j.wire.CmSidrRep;
import org.rdma4j.wire.CmSidrReq;
import org.rdma4j.wire.MadHeader;
import org.rdma4j.wire.Opcode;

/** Wrong connection managers. */
final class CmMutants {

    private static final int REQ = CmReq.ATTRIBUTE_ID;
    private static final int REP = CmRep.ATTRIBUTE_ID;
    private static final int RTU = CmRtu.ATTRIBUTE_ID;
    private static final int REJ = CmRej.ATTRIBUTE_ID;
    private static final int MRA = CmMra.ATTRIBUTE_ID;
    private static final int DREQ = CmDreq.ATTRIBUTE_ID;
    private static final int DREP = CmDrep.ATTRIBUTE_ID;

    private static final int APR = CmApr.ATTRIBUTE_ID;
    private static final int SIDR_REQ = CmSidrReq.ATTRIBUTE_ID;
    private static final int SIDR_REP = CmSidrRep.ATTRIBUTE_ID;

    private CmMutants() {}

    static List<Mutant> all() {
        return Stream.of(messages(), uses(), noises()).flatMap(List::stream).toList();
    }

    private static List<Mutant> messages() {
        return List.of(
                omits("cm-no-rep", "a REQ gets no REP", message(REP)),
                sends("cm-rep-qpn", "a REP names queue pair 0", message(REP), it -> {
                    put(12, 0).accept(it);
                    put(13, 0).accept(it);
                    put(14, 0).accept(it);
                }),
                sends("cm-rep-psn", "a REP names another starting PSN", message(REP), flip(22, 0x01)),
                sends("cm-rep-reads", "a REP takes more READs than are wanted", message(REP), put(24, 16)),
                sends("cm-rep-depth", "a REP wants more READs than are offered", message(REP), put(25, 16)),
                sends("cm-rep-id", "a REP has another's ID for its addressee", message(REP), flip(7, 0x01)),
                sends("cm-transaction", "a REP begins a transaction of its own", message(REP), flipHeader(15, 0x01)),
                tampered(
                        "cm-rep-once",
                        "a REP is never sent again",
                        () -> CmTampers.behindFirst(message(REP), true, null)),
                tampered(
                        "cm-rep-other",
                        "a REP that is sent again has another PSN",
                        () -> CmTampers.behindFirst(message(REP), true, flip(22, 0x01))),
                tampered(
                        "cm-req-twice",
                        "a REQ that comes again makes another connection",
                        () -> CmTampers.behindFirst(message(REQ), false, it -> {
                            flip(3, 0x01).accept(it);
                            flip(34, 0x01).accept(it);
                        })),
                repeats("cm-rep-twice", "each REP is sent twice", message(REP)),
                omits("cm-no-mra", "an application that thinks is not told of", message(MRA)),
                sends("cm-mra-rep", "an MRA for a REQ names the REP", message(MRA), put(8, 0x40)),
                ignores("cm-deaf-mra", "an MRA is not heeded", message(MRA)),
                ignores("cm-deaf-rtu", "an RTU is not heeded", message(RTU)),
                takes("cm-any-rtu", "an RTU for another connection is as good", message(RTU), put(7, 0)),
                omits("cm-no-rej", "nothing is ever rejected", message(REJ)),
                sends("cm-rej-8", "nobody listens: reason 28", reject(8), put(11, 28)),
                sends("cm-rej-3", "no room: reason 28", reject(3), put(11, 28)),
                sends("cm-rej-28", "an application's refusal: reason 8", reject(28), put(11, 8)),
                sends("cm-rej-12", "another port's GID: reason 28", reject(12), put(11, 28)),
                sends("cm-rej-26", "another path MTU: reason 28", reject(26), put(11, 28)),
                sends("cm-rej-9", "another transport service: reason 28", reject(9), put(11, 28)),
                sends("cm-rej-10", "a stale connection: reason 28", reject(10), put(11, 28)),
                sends("cm-rej-4", "no RTU: reason 28", reject(4), put(11, 28)),
                sends("cm-rej-5", "another IP service: reason 8", reject(5), put(11, 8)),
                sends("cm-rej-31", "another class version: reason 28", reject(31), put(11, 28)),
                sends("cm-rej-30", "a namesake: reason 28", reject(30), put(11, 28)),
                takes("cm-q-key", "the Q_Key is not looked at", CmTampers::isMad, CmTampers.rightKey()),
                sends("cm-rej-rep", "a REJ for a REQ names the REP", message(REJ), put(8, 0x40)),
                omits("cm-no-dreq", "a connection ends without a DREQ", message(DREQ)),
                sends("cm-dreq-qpn", "a DREQ names another queue pair", message(DREQ), flip(10, 0x01)),
                tampered(
                        "cm-dreq-once",
                        "a DREQ is never sent again",
                        () -> CmTampers.behindFirst(message(DREQ), true, null)),
                ignores("cm-deaf-drep", "a DREP is not heeded", message(DREP)),
                omits("cm-no-drep", "a DREQ gets no DREP", message(DREP)),
                tampered(
                        "cm-drep-once",
                        "a DREQ that comes again gets no DREP",
                        () -> CmTampers.behindFirst(message(DREP), true, null)),
                sends("cm-drep-id", "a DREP has another's ID for its addressee", message(DREP), flip(7, 0x01)),
                takes(
                        "cm-base-version",
                        "the base version is not looked at",
                        CmTampers::isMad,
                        header(MadHeader.BASE_VERSION_OFFSET, 1)),
                takes(
                        "cm-method",
                        "the method is not looked at",
                        CmTampers::isMad,
                        header(MadHeader.METHOD_OFFSET, MadHeader.METHOD_SEND)),
                takes(
                        "cm-class",
                        "the management class is not looked at",
                        CmTampers::isMad,
                        header(MadHeader.MANAGEMENT_CLASS_OFFSET, MadHeader.CLASS_CM)),
                takes(
                        "cm-attribute",
                        "an unknown attribute is taken for a REQ",
                        message(0x30),
                        header(MadHeader.ATTRIBUTE_ID_OFFSET + 1, REQ)),
                takes(
                        "cm-length",
                        "a short datagram is filled up",
                        it -> CmTampers.isMad(it) && it.length() == 272,
                        it -> it.resize(276)),
                tampered("cm-no-stale", "a queue pair may have many connections", CmTampers::takesQueuePairsForOthers));
    }

    private static List<Mutant> uses() {
        return List.of(
                sends("cm-req-guid", "a REQ has no CA GUID", message(REQ), it -> {
                    for (int at = 16; at < 24; at++) {
                        put(at, 0).accept(it);
                    }
                }),
                sends("cm-req-gid", "a REQ names another port for its own", message(REQ), flip(71, 0x40)),
                sends("cm-req-type", "a REQ asks for an unreliable connection", message(REQ), flip(43, 0x02)),
                tampered(
                        "cm-rtu-once",
                        "a REP that comes again gets no RTU",
                        () -> CmTampers.behindFirst(message(RTU), true, null)),
                tampered(
                        "cm-req-once",
                        "a REQ is never sent again",
                        () -> CmTampers.behindFirst(message(REQ), true, null)),
                tampered("cm-req-soon", "a REQ is sent again at once", () -> CmTampers.twice(message(REQ))),
                ignores("cm-deaf-rej", "a REJ is not heeded", message(REJ)),
                sends("cm-rej-27", "too many READs: reason 28", reject(27), put(11, 28)),
                omits("cm-no-rtu", "a REP gets no RTU", message(RTU)),
                takes("cm-any-rep", "a REP to another ID is taken", message(REP), CmTampers.rightId()),
                sends("cm-rej-6", "a REP to another ID is rejected: reason 28", reject(6), put(11, 28)),
                takes("cm-guid-low", "of two that ask each other this one answers", message(REQ), put(16, 0xFF)),
                takes("cm-guid-high", "of two that ask each other this one asks", message(REQ), put(16, 0)),
                sends("cm-ip-version", "the IP CM header says version 5", message(REQ), put(141, 0x50)),
                sends("cm-ip-source", "the IP CM header has another address", message(REQ), flip(159, 0x01)),
                sends("cm-service", "the service ID is in another port space", message(REQ), put(13, 0x3F)),
                sends("cm-words", "an application's words stand at the wrong place", message(REQ), flip(176, 0x01)),
                sends("cm-fill", "the fill of private data is not zero", message(REP), flip(231, 0x01)),
                sends("cm-rep-words", "an application's words are cut short", message(REP), put(36 + 55, 0)),
                takes("cm-use-psn", "the REQ's starting PSN is not used", message(REQ), flip(46, 0x01)),
                takes("cm-use-rep-psn", "the REP's starting PSN is not used", message(REP), flip(22, 0x01)),
                takes("cm-use-mtu", "the REQ's path MTU is not used", message(REQ), CmTampers.smallerMtu()),
                takes("cm-use-timeout", "the local ACK timeout is not used", message(REQ), put(95, 12 << 3)),
                sends("cm-say-timeout", "a REQ's local ACK timeout is another's", message(REQ), put(95, 19 << 3)),
                takes("cm-use-retries", "the retry count is not used", message(REQ), CmTampers.bits(47, 0x07, 7)),
                takes("cm-use-rnr", "the RNR retry count is not used", message(REQ), CmTampers.bits(50, 0x07, 7)),
                takes(
                        "cm-use-rep-rnr",
                        "the REP's RNR retry count is not used",
                        message(REP),
                        CmTampers.bits(27, 0xE0, 0xE0)),
                takes("cm-hop-limit", "a REQ without a hop limit is for nobody", message(REQ), CmTampers.hopless()),
                ignores(
                        "cm-mig-0",
                        "packets with MigReq 0 are dropped",
                        it -> it.opcode() == 4 && (it.get(1) & 0x40) == 0),
                sends(
                        "cm-mig-first",
                        "packets have MigReq 0",
                        it -> it.opcode() == 4,
                        it -> it.set(1, it.get(1) & ~0x40)),
                omits("cm-no-apr", "a LAP gets no APR", message(APR)),
                sends("cm-apr-6", "an APR says another status", message(APR), put(9, 2)),
                omits("cm-no-sidr", "a SIDR_REQ gets no SIDR_REP", message(SIDR_REP)),
                sends("cm-sidr-key", "a SIDR_REP has no Q_Key", message(SIDR_REP), put(20, 0x41)),
                sends("cm-sidr-0", "every service is there", message(SIDR_REP), put(4, 0)),
                sends("cm-sidr-1", "every service is unsupported", message(SIDR_REP), put(4, 1)),
                tampered(
                        "cm-sidr-other",
                        "a SIDR_REQ that comes again gets another answer",
                        () -> CmTampers.behindFirst(message(SIDR_REP), true, flip(10, 0x10))),
                sends(
                        "cm-datagram-key",
                        "datagrams have a Q_Key of their own",
                        it -> it.opcode() == Opcode.UD_SEND_ONLY && !CmTampers.isMad(it),
                        it -> it.set(15, 0x11)),
                ignores("cm-deaf-sidr", "a SIDR_REP is not heeded", message(SIDR_REP)),
                tampered(
                        "cm-sidr-once",
                        "a SIDR_REQ is never sent again",
                        () -> CmTampers.behindFirst(message(SIDR_REQ), true, null)));
    }

    /** Devices that speak where they should be silent, and name nobody. */
    private static List<Mutant> noises() {
        return List.of(
                noise("cm-noise-mad", "a datagram that is no message", it -> CmTampers.isMad(it) && !isMessage(it)),
                noise("cm-noise-length", "a short datagram", it -> CmTampers.isMad(it) && it.length() == 272),
                noise("cm-noise-key", "a datagram with another Q_Key", CmTampers::hasOtherKey),
                tampered(
                        "cm-noise-get",
                        "a datagram with another method gets one of a method that is none of connection management's",
                        () -> CmTampers.answers(
                                it -> CmTampers.isMad(it) && CmTampers.method(it) != MadHeader.METHOD_SEND,
                                CmTampers::becomesGetResp)),
                tampered(
                        "cm-noise-req",
                        "each REQ gets a datagram of a method that is none of connection management's",
                        () -> CmTampers.answers(message(REQ), CmTampers::becomesGetResp)),
                noiseAgain("cm-noise-copy", "a REQ that comes again", REQ),
                noiseAgain("cm-noise-rtu", "an RTU that comes again", RTU),
                noise("cm-noise-mra", "an MRA", message(MRA)),
                noise("cm-noise-rej", "a REJ", message(REJ)),
                noise("cm-noise-drep", "a DREP", message(DREP)),
                tampered(
                        "cm-noise-dreq",
                        "a DREQ for another queue pair gets a REJ that names nobody",
                        CmTampers::answersForeignDisconnects),
                noiseAgain("cm-noise-dreq-copy", "a DREQ that comes again", DREQ),
                noise("cm-noise-sidr", "a SIDR_REP", message(SIDR_REP)),
                noise("cm-noise-ack", "an ACK on a connection", it -> it.opcode() == Opcode.RC_ACKNOWLEDGE));
    }

    private static boolean isMessage(Tampered packet) {
        return CmTampers.parse(packet) instanceof CmMad;
    }

    private static Mutant noise(String id, String what, Predicate<Tampered> when) {
        return tampered(
                id,
                what + " gets a REJ that names nobody",
                () -> CmTampers.answers(when, CmTampers::becomesRejectOfNobody));
    }

    private static Mutant noiseAgain(String id, String what, int attributeId) {
        return tampered(
                id,
                what + " gets a REJ that names nobody",
                () -> CmTampers.answers(CmTampers.again(message(attributeId)), CmTampers::becomesRejectOfNobody));
    }
}
