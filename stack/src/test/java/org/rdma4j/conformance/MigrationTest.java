package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rdma4j.conformance.Packets.ack;
import static org.rdma4j.conformance.Packets.writeOnly;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.AsyncEventType;
import org.rdma4j.verbs.PathMigrationState;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.VerbsException;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.Gid;

/** Automatic path migration (17.2.8): what MigReq says, and when a queue pair goes to its alternate path. */
class MigrationTest extends RcScene {

    private static final Gid ELSEWHERE = Gid.ofIpv4(0x0A01_0002);
    private static final int TIMEOUT_THERE = 13;

    private static QpAttributes alternate() {
        return new QpAttributes().alternatePath(AhAttributes.to(ELSEWHERE), 0, TIMEOUT_THERE);
    }

    private void rearmed() {
        connect(new Setup());
        device.qp.modify(alternate().migrationState(PathMigrationState.REARM));
    }

    private void armed() {
        rearmed();
        peer.sends(write(n, false));
        peer.expects(ack(n).migReq(false));
        is(PathMigrationState.ARMED);
        n = plus(n, 1);
    }

    private WirePacket write(int psn, boolean migReq) {
        return writeOnly(psn).ackReq().at(region, 0, 8).payload(8).migReq(migReq);
    }

    private void is(PathMigrationState state) {
        assertEquals(state, device.qp.query().migrationState());
    }

    private void refuses(QpAttributes wanted, String named) {
        VerbsException refusal = assertThrows(VerbsException.class, () -> device.qp.modify(wanted));
        assertTrue(refusal.getMessage().contains(named), refusal.getMessage());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("QPS-18: MigReq 0 and 1 are both accepted by a queue pair without an alternate path")
    void withoutAnAlternatePath(boolean migReq) {
        connect(new Setup());
        peer.sends(write(n, migReq));
        peer.expects(ack(n).migReq(true));
        is(PathMigrationState.MIGRATED);
        device.raisesNothing();
    }

    @Test
    @DisplayName("QPS-18: in REARM a side sends MigReq 0; it is ARMED once the peer does the same")
    void arms() {
        rearmed();
        peer.sends(write(n, true));
        peer.expects(ack(n).migReq(false));
        is(PathMigrationState.REARM);
        peer.sends(write(plus(n, 1), false));
        peer.expects(ack(plus(n, 1)).migReq(false));
        is(PathMigrationState.ARMED);
        device.posts(WrOpcode.RDMA_WRITE, 1, 8);
        peer.expects(writeOnly(m).migReq(false));
        device.raisesNothing();
    }

    @Test
    @DisplayName("QPS-18: ARMED, and MigReq 1 comes on the alternate path: the answer goes there, and PATH_MIG")
    void followsThePeer() {
        armed();
        peer.sendsFrom(ELSEWHERE, write(n, true));
        assertEquals(Rule.ACCEPTED, peer.decision());
        peer.expects(ack(n).migReq(true));
        assertEquals(ELSEWHERE, peer.lastRoute().remote());
        device.raises(AsyncEventType.PATH_MIG);
        is(PathMigrationState.MIGRATED);
        assertEquals(ELSEWHERE, device.qp.query().av().dgid());
        assertEquals(HandPlayedLink.PEER, device.qp.query().alternateAv().dgid(), "the path that was left");
        peer.sends(write(plus(n, 1), true));
        assertEquals(Rule.WRONG_PEER, peer.decision(), "a late packet of the old path");
    }

    @Test
    @DisplayName("QPS-18: MigReq 1 on another path than the alternate one is dropped, and PATH_MIG_ERR")
    void unacceptablePath() {
        armed();
        peer.sends(write(n, true));
        assertEquals(Rule.MIGRATION_PATH, peer.decision());
        peer.expectsNothing();
        device.raises(AsyncEventType.PATH_MIG_ERR);
        is(PathMigrationState.ARMED);
        peer.sends(write(n, false));
        peer.expects(ack(n).migReq(false));
    }

    @Test
    @DisplayName("QPS-18: P_Keys are checked in REARM and ARMED too")
    void partitions() {
        rearmed();
        peer.sends(write(n, false).pKey(0x8001));
        assertEquals(Rule.PKEY_MISMATCH, peer.decision());
        is(PathMigrationState.REARM);
        peer.sends(write(n, false).pKey(0x7FFF)); // a limited member of the same
        is(PathMigrationState.ARMED);
        peer.sendsFrom(ELSEWHERE, write(plus(n, 1), true).pKey(0x8001));
        assertEquals(Rule.MIGRATION_PATH, peer.decision());
        is(PathMigrationState.ARMED);
    }

    @Test
    @DisplayName(
            "QPS-18: with all retries used up an ARMED side goes to the alternate path, where patience begins anew")
    void pathDies() {
        armed();
        peer.getsAll();
        device.posts(WrOpcode.RDMA_WRITE, 7, 8);
        peer.expects(writeOnly(m).migReq(false));
        for (int retry = 0; retry < 3; retry++) { // Setup.retryCount
            passes(4 * timeout(14));
            peer.expects(writeOnly(m).migReq(false));
        }
        device.raisesNothing();
        passes(4 * timeout(14));
        peer.expects(writeOnly(m).migReq(true));
        assertEquals(ELSEWHERE, peer.lastRoute().remote());
        device.raises(AsyncEventType.PATH_MIG);
        assertEquals(TIMEOUT_THERE, device.qp.query().timeout());
        assertEquals(14, device.qp.query().alternateTimeout());
        peer.sendsFrom(ELSEWHERE, ack(m).migReq(true));
        device.completes(7);
    }

    @Test
    @DisplayName("QPS-18: what the dead path has lost does not narrow the window of the other one")
    void otherPathStartsAfresh() {
        armed();
        peer.getsAll();
        device.posts(WrOpcode.RDMA_WRITE, 7, 200 << 10); // more than a first window
        int atFirst = peer.getsAll().size();
        for (int retry = 0; retry < 4; retry++) {
            peer.getsAll();
            passes(4 * timeout(14));
        }
        assertEquals(ELSEWHERE, peer.lastRoute().remote());
        assertEquals(atFirst, peer.getsAll().size());
    }

    @Test
    @DisplayName("QPS-18: where the alternate path is dead too, the request fails as ever")
    void bothPathsDie() {
        armed();
        device.posts(WrOpcode.RDMA_WRITE, 7, 8);
        for (int retry = 0; retry < 8; retry++) {
            passes(4 * timeout(14));
        }
        device.completes(7, WcStatus.RETRY_EXC_ERR);
        device.isIn(QpState.ERR);
    }

    @Test
    @DisplayName("QPS-18: a side whose peer is not prepared does not migrate")
    void notArmed() {
        rearmed();
        device.posts(WrOpcode.RDMA_WRITE, 7, 8);
        for (int retry = 0; retry < 4; retry++) {
            passes(4 * timeout(14));
        }
        device.completes(7, WcStatus.RETRY_EXC_ERR);
        assertEquals(HandPlayedLink.PEER, peer.lastRoute().remote());
    }

    @Test
    @DisplayName("QPS-18: the application may ask for it: what is outstanding is sent again on the alternate path")
    void migratesOnRequest() {
        armed();
        peer.getsAll();
        device.posts(WrOpcode.RDMA_WRITE, 7, 300); // two packets
        assertEquals(2, peer.getsAll().size());
        device.qp.modify(new QpAttributes().migrationState(PathMigrationState.MIGRATED));
        settle();
        device.raises(AsyncEventType.PATH_MIG);
        assertEquals(m, peer.gets().bth().psn());
        peer.gets();
        assertEquals(ELSEWHERE, peer.lastRoute().remote());
        peer.sendsFrom(ELSEWHERE, ack(plus(m, 1)).migReq(true));
        device.completes(7);
    }

    @Test
    @DisplayName("QPS-18: after a migration the path that was left can be rearmed")
    void andBack() {
        armed();
        device.qp.modify(new QpAttributes().migrationState(PathMigrationState.MIGRATED));
        device.qp.modify(new QpAttributes().migrationState(PathMigrationState.REARM));
        peer.sendsFrom(ELSEWHERE, write(n, false));
        is(PathMigrationState.ARMED);
        peer.sends(write(plus(n, 1), true));
        assertEquals(Rule.ACCEPTED, peer.decision());
        is(PathMigrationState.MIGRATED);
        assertEquals(HandPlayedLink.PEER, device.qp.query().av().dgid());
    }

    @Test
    @DisplayName("QPS-18: an address that is changed after a migration is that of the path it led to")
    void changedAfterwards() {
        armed();
        peer.sendsFrom(ELSEWHERE, write(n, true));
        device.to(QpState.SQD);
        Gid third = Gid.ofIpv4(0x0A02_0002);
        device.qp.modify(new QpAttributes().av(AhAttributes.to(third)));
        assertEquals(third, device.qp.query().av().dgid());
        assertEquals(HandPlayedLink.PEER, device.qp.query().alternateAv().dgid());
    }

    @Test
    @DisplayName("QPS-18: what cannot be asked for is refused by name, and RESET forgets the alternate path")
    void refused() {
        connect(new Setup());
        refuses(new QpAttributes().migrationState(PathMigrationState.REARM), "REARM needs an alternate path");
        refuses(alternate().migrationState(PathMigrationState.ARMED), "ARMED follows from the peer's packets");
        refuses(
                new QpAttributes().alternatePath(AhAttributes.to(ELSEWHERE), 1, 14),
                "ALT_PATH: pkey_index is 0 to 0, not 1");
        refuses(
                new QpAttributes().alternatePath(AhAttributes.to(ELSEWHERE), 0, 32),
                "ALT_PATH: timeout is 0 to 31, not 32");
        device.qp.modify(alternate().migrationState(PathMigrationState.REARM));
        refuses(new QpAttributes().migrationState(PathMigrationState.MIGRATED), "the peer is not prepared");
        device.to(QpState.RESET);
        is(PathMigrationState.MIGRATED);
        assertEquals(null, device.qp.query().alternateAv());
    }

    @Test
    @DisplayName("QPS-18: an alternate path may be given with the first, and rearmed with RTS")
    void fromTheStart() {
        open(new Setup());
        device.toInit();
        device.qp.modify(new QpAttributes()
                .state(QpState.RTR)
                .av(AhAttributes.to(HandPlayedLink.PEER))
                .pathMtu(256)
                .destQpNum(Peer.QPN)
                .rqPsn(n)
                .maxDestRdAtomic(4)
                .minRnrTimer(12)
                .alternatePath(AhAttributes.to(ELSEWHERE), 0, TIMEOUT_THERE));
        is(PathMigrationState.MIGRATED);
        device.qp.modify(new QpAttributes()
                .state(QpState.RTS)
                .sqPsn(m)
                .timeout(14)
                .retryCount(3)
                .rnrRetry(3)
                .maxRdAtomic(4)
                .migrationState(PathMigrationState.REARM));
        peer.sends(write(n, false));
        peer.expects(ack(n).migReq(false));
        is(PathMigrationState.ARMED);
    }
}
