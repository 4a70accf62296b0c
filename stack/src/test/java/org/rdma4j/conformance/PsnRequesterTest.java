package org.rdma4j.conformance;

import static org.rdma4j.conformance.Packets.ack;
import static org.rdma4j.conformance.Packets.fetchAdd;
import static org.rdma4j.conformance.Packets.read;
import static org.rdma4j.conformance.Packets.readResponseFirst;
import static org.rdma4j.conformance.Packets.readResponseMiddle;
import static org.rdma4j.conformance.Packets.readResponseOnly;
import static org.rdma4j.conformance.Packets.writeOnly;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WrOpcode;

/** Group PSN, the requester's half: which PSN a request has (9.7.3). */
@ParameterizedClass(name = "PSNs from {0}")
@ValueSource(ints = {0x000100, 0xFFFFFE})
class PsnRequesterTest extends RcScene {

    private final int start;

    PsnRequesterTest(int start) {
        this.start = start;
    }

    private MemoryRegion largeRegion;

    @BeforeEach
    void connect() {
        connect(new Setup().withPsns(start));
        largeRegion = device.register(sparse(1 << 29));
    }

    private SendWorkRequest write(long id) {
        return Host.request(WrOpcode.RDMA_WRITE, id).sge(region, 0, 8);
    }

    @ParameterizedTest(name = "{0} bytes take {1} PSNs")
    @CsvSource({"0, 1", "1, 1", "255, 1", "256, 1", "257, 2", "768, 3", "1000, 4"})
    @DisplayName("PSN-09: behind a READ the next PSN is as many on as its response has packets")
    void readTakesThePsnsOfItsResponse(int length, int psns) {
        device.posts(WrOpcode.RDMA_READ, 1, length);
        device.posts(write(2));
        peer.expects(read(m).reth(Peer.ADDRESS, Peer.R_KEY, length), writeOnly(plus(m, psns)));
        peer.expectsNothing();
    }

    @Test
    @DisplayName("PSN-10: a zero-length READ and an atomic take one PSN each")
    void smallRequestsTakeOnePsn() {
        device.posts(
                Host.request(WrOpcode.RDMA_READ, 1),
                Host.request(WrOpcode.ATOMIC_FETCH_AND_ADD, 2).sge(region, 0, 8).fetchAdd(1),
                write(3));
        peer.expects(read(m), fetchAdd(plus(m, 1)), writeOnly(plus(m, 2)));
        peer.expectsNothing();
    }

    @Test
    @DisplayName("PSN-13: the first request carries sq_psn")
    void firstPsn() {
        device.posts(write(1));
        peer.expects(writeOnly(start).ackReq());
        peer.sends(ack(start).msn(1));
        device.completes(1);
    }

    @Test
    @DisplayName("PSN-11: no more than 2^23 PSNs are outstanding: a READ that takes them all holds back what follows")
    void halfTheCircle() {
        SendWorkRequest read = Host.request(WrOpcode.RDMA_READ, 1);
        for (int i = 0; i < 4; i++) {
            read.sge(largeRegion, 0, 1 << 29);
        }
        device.posts(read, write(2));
        peer.expects(read(m).reth(Peer.ADDRESS, Peer.R_KEY, 1L << 31));
        peer.expectsNothing();
        peer.sends(
                readResponseMiddle(plus(m, -1)).payload(256),
                readResponseMiddle(plus(m, 1 << 23)).payload(256));
        device.counted(Rule.GHOST_ACK, 2); // 2^23 on is 2^23 back
        peer.sends(
                readResponseFirst(m).payload(256),
                readResponseMiddle(plus(m, 1)).payload(256));
        device.counted(Rule.ACCEPTED_ACK, 2);
        peer.expectsNothing();
        passes(timeout(14));
        peer.expects(read(plus(m, 2)).reth(Peer.ADDRESS + 512, Peer.R_KEY, (1L << 31) - 512));
        peer.expectsNothing();
        device.completesNothing();
    }

    @Test
    @DisplayName("PSN-07: requests run over the wrap, and acknowledgements behind it complete what is before it")
    void acknowledgedAcrossTheWrap() {
        for (int i = 0; i < 6; i++) {
            device.posts(write(i));
            peer.expects(writeOnly(plus(m, i)));
        }
        peer.sends(ack(plus(m, 5)).msn(6));
        for (int i = 0; i < 6; i++) {
            device.completes(i);
        }
        device.posts(WrOpcode.RDMA_READ, 9, 8);
        peer.expects(read(plus(m, 6)));
        peer.sends(readResponseOnly(plus(m, 6)).payload(8));
        device.completes(9);
        memory.holds(0, readResponseOnly(plus(m, 6)).payload(8).bytes());
    }
}
