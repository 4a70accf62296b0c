package org.rdma4j.tools.conform.mutant;

import static org.rdma4j.tools.conform.mutant.Mutant.ignores;
import static org.rdma4j.tools.conform.mutant.Mutant.sends;
import static org.rdma4j.tools.conform.mutant.Mutant.setUp;
import static org.rdma4j.tools.conform.mutant.Mutant.takes;
import static org.rdma4j.tools.conform.mutant.Mutant.tampered;

import java.util.List;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Syndrome;

/** Wrong requesters: what they send, and what they make of answers. */
final class RequesterMutants {

    private RequesterMutants() {}

    static List<Mutant> all() {
        return List.of(
                ignores("deaf-to-nak", "sequence NAKs are ignored", Tampered::isNakSequence),
                takes(
                        "nak-one-off",
                        "the resend starts one behind the NAK",
                        Tampered::isNakSequence,
                        it -> it.movePsn(1)),
                tampered("nak-restarts", "a sequence NAK sends the whole message again", RequesterTampers::nakRestarts),
                ignores("deaf-to-rnr", "RNR NAKs are ignored", Tampered::isRnr),
                takes(
                        "rnr-at-once",
                        "the time of an RNR NAK is not waited for",
                        Tampered::isRnr,
                        it -> it.syndrome(Syndrome.rnrNak(1))),
                takes(
                        "rnr-too-long",
                        "an RNR NAK is waited for ten times too long",
                        Tampered::isRnr,
                        it -> it.syndrome(Syndrome.rnrNak(Math.min(31, Syndrome.value(it.syndrome()) + 7)))),
                takes(
                        "rnr-is-nak",
                        "an RNR NAK is taken for a sequence NAK",
                        Tampered::isRnr,
                        it -> it.syndrome(Syndrome.NAK_PSN_SEQUENCE)),
                tampered("believes-rnr", "an RNR NAK of any PSN is heeded", RequesterTampers::believesRnr),
                tampered(
                        "believes-acks",
                        "an ACK of any PSN acknowledges what is outstanding",
                        RequesterTampers::believesAcks),
                tampered("believes-naks", "a NAK of any PSN is heeded", RequesterTampers::believesNaks),
                tampered(
                        "ack-completes-message",
                        "an ACK inside of a message completes it",
                        RequesterTampers::ackCompletesMessage),
                tampered(
                        "one-ack-one-message", "an ACK completes one message only", RequesterTampers::oneAckOneMessage),
                takes(
                        "reserved-is-ack",
                        "reserved syndromes are taken for an ACK",
                        it -> it.hasAeth() && (Syndrome.isReserved(it.syndrome()) || it.isNak(0x6A)),
                        it -> it.syndrome(Syndrome.ACK_UNLIMITED)),
                ignores("deaf-to-fatal", "fatal NAKs are ignored", Tampered::isFatal),
                takes(
                        "fatal-is-op",
                        "every fatal NAK is an operational error",
                        Tampered::isFatal,
                        it -> it.syndrome(Syndrome.NAK_REMOTE_OPERATIONAL)),
                takes(
                        "fatal-is-access",
                        "every fatal NAK is an access error",
                        Tampered::isFatal,
                        it -> it.syndrome(Syndrome.NAK_REMOTE_ACCESS)),
                takes(
                        "fatal-is-ack",
                        "a fatal NAK is taken for an ACK",
                        Tampered::isFatal,
                        it -> it.syndrome(Syndrome.ACK_UNLIMITED)),
                tampered("no-rest", "the rest of a READ is never asked for", RequesterTampers::neverAsksForRest),
                tampered(
                        "whole-again", "a READ is asked for again from its start", RequesterTampers::asksForWholeAgain),
                tampered(
                        "rest-address",
                        "the rest of a READ is asked for from its first address",
                        RequesterTampers::asksForRestFromStart),
                tampered(
                        "reads-any-order", "READ responses may come in any order", RequesterTampers::takesAnyReadOrder),
                takes(
                        "short-responses",
                        "READ responses may have any length",
                        it -> it.is(Opcode.RC_RDMA_READ_RESPONSE_FIRST, Opcode.RC_RDMA_READ_RESPONSE_MIDDLE)
                                && it.payload() < 1024,
                        it -> it.resize(it.header() + 1024)),
                takes(
                        "read-cut",
                        "a READ response that is too long is cut",
                        it -> it.is(Opcode.RC_RDMA_READ_RESPONSE_ONLY) && it.payload() == 64,
                        it -> it.resize(it.header() + 16)),
                takes(
                        "read-filled",
                        "a READ response that is too short is filled up",
                        it -> it.is(Opcode.RC_RDMA_READ_RESPONSE_ONLY) && it.payload() == 16,
                        it -> it.resize(it.header() + 64)),
                takes(
                        "last-cut",
                        "a LAST that is too long is cut",
                        it -> it.is(Opcode.RC_RDMA_READ_RESPONSE_LAST) && it.payload() == 8,
                        it -> it.resize(it.header() + 4)),
                takes(
                        "early-last",
                        "a LAST that is too short is filled up",
                        it -> it.is(Opcode.RC_RDMA_READ_RESPONSE_LAST) && it.payload() == 4,
                        it -> it.resize(it.header() + 1024).opcode(Opcode.RC_RDMA_READ_RESPONSE_LAST)),
                tampered(
                        "read-is-ack",
                        "a READ response to a WRITE is taken for an ACK",
                        RequesterTampers::responseIsAck),
                takes(
                        "read-wrong-byte",
                        "a READ's first byte is wrong",
                        Tampered::isReadResponse,
                        it -> it.flipPayload(0)),
                takes(
                        "result-order",
                        "an atomic's result has the wrong byte order",
                        it -> it.is(Opcode.RC_ATOMIC_ACKNOWLEDGE),
                        it -> it.set(it.length() - 1, it.get(it.length() - 8))),
                sends(
                        "no-ack-asked",
                        "requests never ask for an ACK",
                        it -> it.isWrite() || it.isSend(),
                        it -> it.set(8, 0)),
                sends("request-tver", "requests have TVer 2", Tampered::isRequest, it -> it.set(1, it.get(1) | 2)),
                sends("request-se", "SENDs have SE set", Tampered::isSend, it -> it.set(1, it.get(1) | 0x80)),
                sends("request-padcnt", "PadCnt of WRITEs is always 0", Tampered::isWrite, it -> it.pad(0)),
                sends("request-icrc", "the ICRC of requests is wrong", Tampered::isWrite, it -> it.goodIcrc = false),
                sends(
                        "last-is-middle",
                        "the last packet is a MIDDLE",
                        it -> it.is(Opcode.RC_SEND_LAST, Opcode.RC_RDMA_WRITE_LAST),
                        it -> it.opcode(it.opcode() - 1)),
                sends(
                        "only-is-last",
                        "an ONLY is a LAST",
                        it -> it.is(Opcode.RC_SEND_ONLY),
                        it -> it.opcode(Opcode.RC_SEND_LAST)),
                sends(
                        "write-only-is-last",
                        "a WRITE ONLY is a FIRST",
                        it -> it.is(Opcode.RC_RDMA_WRITE_ONLY),
                        it -> it.opcode(Opcode.RC_RDMA_WRITE_FIRST)),
                tampered("resend-differs", "a resend has another byte", RequesterTampers::resendDiffers),
                tampered(
                        "resend-reth",
                        "a resend has another RETH or other operands",
                        RequesterTampers::resendHasOtherHeader),
                tampered("no-resend", "nothing is ever sent again", RequesterTampers::neverResends),
                tampered(
                        "resend-all",
                        "a resend brings back what was acknowledged",
                        RequesterTampers::resendsAcknowledged),
                tampered("read-one-psn", "a READ takes one PSN", RequesterTampers::readTakesOnePsn),
                tampered("atomic-two-psns", "an atomic takes two PSNs", RequesterTampers::atomicTakesTwoPsns),
                sends("first-psn", "the first PSN is one too high", Tampered::isRequest, it -> it.movePsn(1)),
                sends(
                        "read-length",
                        "a READ asks for four bytes more",
                        it -> it.is(Opcode.RC_RDMA_READ_REQUEST),
                        it -> it.reth(
                                it.reth().virtualAddress(),
                                it.reth().rKey(),
                                it.reth().dmaLength() + 4)),
                sends(
                        "request-address",
                        "requests name an address 8 bytes behind",
                        it -> it.hasReth() || it.isAtomic(),
                        it -> it.set(19, it.get(19) + 8)),
                sends(
                        "write-length",
                        "a WRITE's RETH has the length of its first packet",
                        it -> it.is(Opcode.RC_RDMA_WRITE_FIRST),
                        it -> it.reth(it.reth().virtualAddress(), it.reth().rKey(), it.payload())),
                sends(
                        "short-last",
                        "the last packet lacks a word",
                        it -> (it.isWrite() || it.isSend()) && it.payload() > 4,
                        it -> it.resize(it.length() - 4)),
                sends(
                        "empty-has-byte",
                        "a SEND of no bytes has a word",
                        it -> it.is(Opcode.RC_SEND_ONLY) && it.payload() == 0,
                        it -> it.resize(it.length() + 4)),
                tampered(
                        "no-fence",
                        "requests do not wait for the READ before them",
                        RequesterTampers::sendsAheadOfReads),
                tampered("waits-for-reads", "requests are lost behind a READ", RequesterTampers::losesWhatFollowsReads),
                tampered("cnp-is-nak", "a congestion notification sends all again", RequesterTampers::cnpIsNak),
                tampered("sends-in-err", "a queue pair in ERR goes on to send", RequesterTampers::sendsFromErr),
                tampered(
                        "ack-again-completes",
                        "an ACK that comes again completes the next request",
                        RequesterTampers::ackAgainCompletes),
                tampered("credit-stall", "WRITEs wait for credits", RequesterTampers::writesWaitForCredits),
                setUp(
                        "retry-count",
                        "one retry more than retry_cnt",
                        setup -> setup.withTimeout(setup.timeout(), Math.min(7, setup.retries() + 1))),
                setUp("retry-none", "no retry at all", setup -> setup.withTimeout(setup.timeout(), 0)),
                setUp("timeout-none", "no timeout", setup -> setup.withTimeout(0, setup.retries())),
                setUp(
                        "timeout-always",
                        "a timeout where there is none",
                        setup -> setup.withTimeout(Math.max(8, setup.timeout()), setup.retries())),
                setUp(
                        "timeout-short",
                        "the timeout is a quarter",
                        setup -> setup.withTimeout(Math.max(1, setup.timeout() - 2), setup.retries())),
                setUp(
                        "timeout-long",
                        "the timeout is eight times as long",
                        setup -> setup.withTimeout(setup.timeout() + 3, setup.retries())),
                setUp(
                        "rnr-count",
                        "one RNR retry more than rnr_retry",
                        setup -> setup.withRnrRetries(Math.min(7, setup.rnrRetries() + 1))),
                setUp(
                        "rnr-ends",
                        "rnr_retry 7 is seven",
                        setup -> setup.withRnrRetries(Math.min(6, setup.rnrRetries()))),
                setUp("rnr-endless", "RNR NAKs are never too many", setup -> setup.withRnrRetries(7)),
                setUp(
                        "reads-unlimited",
                        "max_rd_atomic is not looked at",
                        setup -> setup.withRdAtomic(16, setup.maxDestRdAtomic())));
    }
}
