package org.rdma4j.tools.conform.mutant;

import static org.rdma4j.tools.conform.mutant.Mutant.doubles;
import static org.rdma4j.tools.conform.mutant.Mutant.ignores;
import static org.rdma4j.tools.conform.mutant.Mutant.omits;
import static org.rdma4j.tools.conform.mutant.Mutant.repeats;
import static org.rdma4j.tools.conform.mutant.Mutant.sends;
import static org.rdma4j.tools.conform.mutant.Mutant.setUp;
import static org.rdma4j.tools.conform.mutant.Mutant.takes;
import static org.rdma4j.tools.conform.mutant.Mutant.tampered;

import java.util.List;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Syndrome;

/** Wrong responders: what they answer, and what they take packets for. */
final class ResponderMutants {

    private static final int SE = 0x80;
    private static final int ACK_REQ = 0x80;
    private static final long TWO_GIB = 1L << 31;

    private ResponderMutants() {}

    static List<Mutant> answers() {
        return List.of(
                tampered("no-re-ack", "duplicates get no ACK", Tampers::withoutRepeatedAcks),
                repeats("nak-twice", "a sequence NAK is sent twice", Tampered::isNakSequence),
                sends("nak-psn", "a sequence NAK has the PSN behind", Tampered::isNakSequence, it -> it.movePsn(1)),
                sends(
                        "nak-msn",
                        "a sequence NAK counts a message too many",
                        Tampered::isNakSequence,
                        it -> it.msn(it.msn() + 1)),
                tampered("nak-storm", "each packet behind a gap gets a NAK", Tampers::nakForEach),
                omits("no-nak", "gaps get no NAK", Tampered::isNakSequence),
                sends(
                        "rnr-as-gap",
                        "a missing receive gets a sequence NAK",
                        Tampered::isRnr,
                        it -> it.syndrome(Syndrome.NAK_PSN_SEQUENCE)),
                sends("rnr-timer", "min_rnr_timer is not used", Tampered::isRnr, it -> it.syndrome(Syndrome.rnrNak(3))),
                omits("no-rnr", "a missing receive gets no answer", Tampered::isRnr),
                sends("rnr-psn", "an RNR NAK has the PSN behind", Tampered::isRnr, it -> it.movePsn(1)),
                tampered("rnr-then-nak", "what follows an RNR NAK gets a sequence NAK", Tampers::nakBehindRnr),
                sends(
                        "inv-as-ack",
                        "what should get NAK invalid request is acknowledged",
                        it -> it.isNak(Syndrome.NAK_INVALID_REQUEST),
                        it -> it.syndrome(Syndrome.ACK_UNLIMITED)),
                sends(
                        "access-as-ack",
                        "what should get NAK remote access is acknowledged",
                        it -> it.isNak(Syndrome.NAK_REMOTE_ACCESS),
                        it -> it.syndrome(Syndrome.ACK_UNLIMITED)),
                sends(
                        "access-as-inv",
                        "a wrong R_Key is called an invalid request",
                        it -> it.isNak(Syndrome.NAK_REMOTE_ACCESS),
                        it -> it.syndrome(Syndrome.NAK_INVALID_REQUEST)),
                sends(
                        "inv-as-access",
                        "an invalid request is called an access error",
                        it -> it.isNak(Syndrome.NAK_INVALID_REQUEST),
                        it -> it.syndrome(Syndrome.NAK_REMOTE_ACCESS)),
                omits("silent-end", "a fatal error gets no NAK", Tampered::isFatal),
                repeats("fatal-twice", "a fatal NAK is sent twice", Tampered::isFatal),
                sends("fatal-psn", "a fatal NAK has the PSN before", Tampered::isFatal, it -> it.movePsn(-1)),
                sends(
                        "fatal-msn",
                        "a fatal NAK counts the refused message",
                        Tampered::isFatal,
                        it -> it.msn(it.msn() + 1)),
                sends("msn-frozen", "the MSN stays at 1", Tampered::hasAeth, it -> it.msn(1)),
                sends("msn-ahead", "the MSN is one too high", Tampered::hasAeth, it -> it.msn(it.msn() + 1)),
                tampered("msn-packets", "the MSN counts packets", Tampers::msnCountsPackets),
                sends("ack-psn", "an ACK has the PSN behind", Tampered::isAck, it -> it.movePsn(1)),
                sends("ack-psn-before", "an ACK has the PSN before", Tampered::isAck, it -> it.movePsn(-1)),
                omits("no-ack", "nothing is acknowledged", Tampered::isAck),
                repeats("ack-twice", "each ACK is sent twice", Tampered::isAck),
                tampered("ack-order", "ACKs go out in reverse order", Tampers::swappedAcks),
                sends("credits", "every ACK grants 32 credits", Tampered::isAck, it -> it.syndrome(Syndrome.ack(10))),
                sends(
                        "read-psn",
                        "READ responses all have the request's PSN",
                        it -> it.is(Opcode.RC_RDMA_READ_RESPONSE_MIDDLE, Opcode.RC_RDMA_READ_RESPONSE_LAST),
                        it -> it.movePsn(-1)),
                sends(
                        "psn-wrap",
                        "PSNs behind the wrap go on in the middle of the circle",
                        it -> it.psn() < 0x100,
                        it -> it.psn(it.psn() | 0x80_0000)),
                sends(
                        "read-opcode",
                        "a READ's LAST is a MIDDLE",
                        it -> it.is(Opcode.RC_RDMA_READ_RESPONSE_LAST),
                        it -> it.opcode(Opcode.RC_RDMA_READ_RESPONSE_FIRST)),
                sends(
                        "read-only",
                        "a READ's ONLY is a LAST",
                        it -> it.is(Opcode.RC_RDMA_READ_RESPONSE_ONLY),
                        it -> it.opcode(Opcode.RC_RDMA_READ_RESPONSE_LAST)),
                tampered("read-bytes", "every other READ response has a wrong byte", Tampers::wrongReadBytes),
                sends(
                        "read-short",
                        "a READ's last word is missing",
                        it -> it.isReadResponse() && it.payload() > 4,
                        it -> it.resize(it.length() - 4)),
                sends(
                        "read-pad",
                        "the pad of a READ response is not zero",
                        it -> it.isReadResponse() && it.pad() > 0,
                        it -> it.set(it.length() - 1, 0x5A)),
                tampered("read-other-bytes", "a repeated READ response has a wrong byte", Tampers::otherBytesAgain),
                tampered("read-once", "a repeated READ gets no answer", Tampers::readsOnce),
                tampered(
                        "read-any-repeat", "a repeated READ is answered whatever it asks for", Tampers::repeatsAnyRead),
                tampered("read-late", "a READ's responses go out behind the next ACK", Tampers::readsLate),
                sends(
                        "atomic-value",
                        "an atomic returns the value behind the original",
                        it -> it.is(Opcode.RC_ATOMIC_ACKNOWLEDGE),
                        it -> it.set(it.length() - 1, it.get(it.length() - 1) + 1)),
                tampered("atomic-twice", "a repeated atomic is executed again", Tampers::executesAtomicsAgain),
                tampered("atomic-once", "a repeated atomic gets no answer", Tampers::atomicsOnce),
                sends("answer-tver", "answers have TVer 1", it -> true, it -> it.set(1, it.get(1) | 1)),
                sends(
                        "answer-reserved",
                        "answers have a reserved bit set",
                        it -> true,
                        it -> it.set(Bth.ACK_REQ_OFFSET, it.get(Bth.ACK_REQ_OFFSET) | 1)),
                sends(
                        "answer-se",
                        "answers have SE set",
                        it -> it.opcode() > Opcode.RC_RDMA_READ_REQUEST,
                        it -> it.set(1, it.get(1) | SE)),
                sends(
                        "answer-ackreq",
                        "answers ask for an ACK",
                        it -> it.opcode() > Opcode.RC_RDMA_READ_REQUEST,
                        it -> it.set(Bth.ACK_REQ_OFFSET, it.get(Bth.ACK_REQ_OFFSET) | ACK_REQ)),
                sends(
                        "answer-padcnt",
                        "PadCnt of READ responses is wrong",
                        Tampered::isReadResponse,
                        it -> it.pad(it.pad() ^ 1)),
                sends("ack-icrc", "the ICRC of ACKs is wrong", Tampered::isAck, it -> it.goodIcrc = false),
                sends(
                        "read-icrc",
                        "the ICRC of READ responses with a pad is wrong",
                        it -> it.isReadResponse() && it.pad() > 0,
                        it -> it.goodIcrc = false),
                sends(
                        "read-icrc-plain",
                        "the ICRC of READ responses without a pad is wrong",
                        it -> it.isReadResponse() && it.pad() == 0,
                        it -> it.goodIcrc = false),
                sends(
                        "atomic-icrc",
                        "the ICRC of ATOMIC ACKNOWLEDGEs is wrong",
                        it -> it.is(Opcode.RC_ATOMIC_ACKNOWLEDGE),
                        it -> it.goodIcrc = false),
                tampered("port-changes", "each answer has another UDP source port", Tampers::changingPorts),
                tampered("undead", "a queue pair in ERR goes on to acknowledge", Tampers::answersFromErr),
                tampered("any-state", "WRITEs are acknowledged in any state", Tampers::answersInAnyState),
                tampered("rash", "WRITEs are acknowledged before they are checked", Tampers::acknowledgesAtOnce));
    }

    static List<Mutant> requests() {
        return List.of(
                takes("any-tver", "TVer is not looked at", it -> true, it -> it.set(1, it.get(1) & 0xF0)),
                ignores(
                        "strict-reserved",
                        "packets with reserved bits are dropped",
                        it -> (it.get(8) & 0x7F) != 0 || (it.get(4) & 0x3F) != 0),
                ignores(
                        "no-congestion-bits",
                        "requests with FECN or BECN are dropped",
                        it -> it.isRequest() && (it.get(4) & 0xC0) != 0),
                ignores("mig-0", "packets with MigReq 0 are dropped", it -> (it.get(1) & 0x40) == 0),
                ignores("no-se", "WRITEs with SE are dropped", it -> it.isWrite() && (it.get(1) & SE) != 0),
                takes("any-icrc", "the ICRC is not looked at", it -> true, it -> it.goodIcrc = true),
                takes(
                        "any-pkey",
                        "the P_Key is not looked at",
                        it -> true,
                        it -> it.set(2, 0xFF).set(3, 0xFF)),
                ignores("no-limited-pkey", "limited members are dropped", it -> it.get(2) == 0x7F),
                tampered("any-qpn", "packets to other queue pairs are taken", Tampers::takesAnyQpn),
                tampered(
                        "nobody-naks",
                        "a packet to no queue pair gets a NAK, to the number that it was sent to",
                        Tampers::naksFromNowhere),
                tampered(
                        "partition-naks",
                        "a packet of another partition gets a NAK, to queue pair 0",
                        Tampers::naksForPartitions),
                takes(
                        "any-service",
                        "the opcode's service is not looked at",
                        it -> it.opcode() >> 5 != 0 && !it.is(Opcode.CNP),
                        it -> it.opcode(it.opcode() & 0x1F)),
                takes(
                        "reserved-as-write",
                        "reserved opcodes are taken for WRITE ONLY",
                        it -> it.is(0x15, 0x18, 0x1F),
                        it -> it.opcode(Opcode.RC_RDMA_WRITE_ONLY)),
                takes(
                        "overread",
                        "packets that are too short are read past their end",
                        it -> it.length() < it.header() && !it.is(Opcode.CNP),
                        it -> it.resize(it.header())),
                tampered("port-is-identity", "a change of the UDP source port is refused", Tampers::portIsIdentity),
                tampered("cnp-answered", "congestion notifications are acknowledged", Tampers::acknowledgesCnp),
                tampered("answers-answers", "responses that nobody waits for get a NAK", Tampers::nakForResponses),
                tampered("any-key", "R_Keys are not looked at", Tampers::anyKey),
                tampered("any-key-byte", "the key byte of R_Keys is not looked at", Tampers::anyKeyByte),
                tampered("any-range", "addresses are not looked at", Tampers::anyRange),
                takes(
                        "any-alignment",
                        "atomics need no aligned address",
                        Tampered::isAtomic,
                        it -> it.set(19, it.get(19) & 0xF8)),
                takes(
                        "any-dma-length",
                        "the length of a WRITE ONLY is that of its payload",
                        it -> it.is(Opcode.RC_RDMA_WRITE_ONLY) && it.hasReth(),
                        it -> it.reth(it.reth().virtualAddress(), it.reth().rKey(), it.payload())),
                takes(
                        "huge-messages",
                        "lengths above 2^31 are cut to 31 bits",
                        it -> it.hasReth() && it.reth().dmaLength() > TWO_GIB,
                        it -> it.reth(
                                it.reth().virtualAddress(),
                                it.reth().rKey(),
                                it.reth().dmaLength() & TWO_GIB - 1)),
                takes(
                        "at-2-gib",
                        "a length of 2^31 is too long",
                        it -> it.hasReth() && it.reth().dmaLength() == TWO_GIB,
                        it -> it.reth(it.reth().virtualAddress(), it.reth().rKey(), TWO_GIB + 1)),
                takes(
                        "any-first-pad",
                        "a pad on FIRST and MIDDLE is not looked at",
                        it -> it.is(Opcode.RC_RDMA_WRITE_FIRST, Opcode.RC_RDMA_WRITE_MIDDLE),
                        it -> it.pad(0)),
                takes(
                        "pad-underflow",
                        "a pad without payload is taken for none",
                        it -> it.is(Opcode.RC_RDMA_WRITE_ONLY) && it.payload() < 0,
                        it -> it.pad(0)),
                takes(
                        "pad-is-data",
                        "the pad is written to memory",
                        it -> it.isWrite() && it.pad() > 0 && it.hasReth(),
                        it -> it.reth(
                                        it.reth().virtualAddress(),
                                        it.reth().rKey(),
                                        it.reth().dmaLength() + it.pad())
                                .pad(0)),
                takes("pad-is-sent", "the pad of a SEND is written to its receive", Tampered::isSend, it -> it.pad(0)),
                takes(
                        "wrong-byte",
                        "a WRITE's last byte is wrong",
                        it -> it.isWrite() && it.goodIcrc,
                        it -> it.flipPayload(-1)),
                takes("wrong-send-byte", "a SEND's last byte is wrong", Tampered::isSend, it -> it.flipPayload(-1)),
                takes(
                        "one-off",
                        "WRITEs go one byte too far",
                        it -> it.isWrite() && it.hasReth(),
                        it -> it.reth(
                                it.reth().virtualAddress() + 1,
                                it.reth().rKey(),
                                it.reth().dmaLength())),
                takes(
                        "short-receive",
                        "SENDs lose their last word",
                        it -> it.is(Opcode.RC_SEND_ONLY, Opcode.RC_SEND_LAST) && it.payload() > 8,
                        it -> it.resize(it.length() - 4)),
                takes(
                        "immediate-order",
                        "immediates have the wrong byte order",
                        it -> it.opcode() <= 0x0B && Opcode.hasImm(it.opcode()),
                        it -> it.set(Opcode.immOffset(it.opcode()), it.get(Opcode.immOffset(it.opcode()) + 3))),
                takes(
                        "no-ack-inside",
                        "AckReq inside of a message is not looked at",
                        it -> it.is(Opcode.RC_RDMA_WRITE_FIRST, Opcode.RC_RDMA_WRITE_MIDDLE),
                        it -> it.set(8, 0)),
                takes("no-ackreq", "AckReq is not looked at", it -> it.isWrite() || it.isSend(), it -> it.set(8, 0)),
                takes(
                        "no-invalidate",
                        "nothing is invalidated",
                        it -> it.is(Opcode.RC_SEND_ONLY_WITH_INVALIDATE),
                        it -> it.opcode(Opcode.RC_SEND_ONLY_WITH_IMMEDIATE)),
                ignores(
                        "no-duplicates",
                        "FIRST packets are dropped",
                        it -> it.is(Opcode.RC_RDMA_WRITE_FIRST, Opcode.RC_SEND_FIRST)),
                ignores(
                        "no-empty",
                        "messages of no bytes are dropped",
                        it -> it.is(Opcode.RC_RDMA_WRITE_ONLY, Opcode.RC_SEND_ONLY) && it.payload() == 0),
                ignores(
                        "no-empty-read",
                        "READs of no bytes are dropped",
                        it -> it.is(Opcode.RC_RDMA_READ_REQUEST)
                                && it.hasReth()
                                && it.reth().dmaLength() == 0),
                doubles("counts-pkey-twice", "a P_Key violation is counted twice", it -> (it.get(2) & 0x7F) != 0x7F),
                doubles("counts-cnp-twice", "a congestion notification is counted twice", it -> it.is(Opcode.CNP)),
                doubles("counts-icrc-twice", "a wrong ICRC is counted twice", it -> !it.goodIcrc),
                doubles("counts-all-twice", "every packet is taken in twice", it -> true),
                tampered("far-ahead", "the farthest PSN ahead is taken for a duplicate", Tampers::farAheadIsOld),
                tampered("far-behind", "the farthest PSN behind is taken for a gap", Tampers::farBehindIsGap),
                takes(
                        "add-wraps",
                        "FETCH ADD has 63 bits",
                        it -> it.isAtomic() && it.is(Opcode.RC_FETCH_ADD),
                        it -> it.set(24, it.get(24) & 0x7F)),
                takes(
                        "swap-always",
                        "COMPARE SWAP is a FETCH ADD",
                        it -> it.is(Opcode.RC_COMPARE_SWAP),
                        it -> it.opcode(Opcode.RC_FETCH_ADD)),
                takes(
                        "add-one",
                        "FETCH ADD adds one more",
                        it -> it.isAtomic() && it.is(Opcode.RC_FETCH_ADD),
                        it -> it.set(31, it.get(31) + 1)),
                tampered("newest-atomic", "a repeated atomic gets the newest one's value", Tampers::newestAtomic),
                tampered("dup-writes", "a duplicate WRITE is executed", Tampers::executesDuplicates),
                setUp(
                        "one-read",
                        "resources are kept for one READ or atomic",
                        setup -> setup.withRdAtomic(setup.maxRdAtomic(), 1)),
                setUp(
                        "many-reads",
                        "resources are kept for 16 READs and atomics, whatever was asked for",
                        setup -> setup.withRdAtomic(setup.maxRdAtomic(), 16)));
    }
}
