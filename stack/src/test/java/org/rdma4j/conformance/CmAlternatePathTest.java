package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.rdma4j.cm.AlternateRoute;
import org.rdma4j.cm.CmEventType;
import org.rdma4j.cm.CmException;
import org.rdma4j.cm.CmId;
import org.rdma4j.verbs.PathMigrationState;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.CmApr;
import org.rdma4j.wire.CmLap;
import org.rdma4j.wire.CmMad;
import org.rdma4j.wire.CmPath;
import org.rdma4j.wire.CmRep;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.CmRtu;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.PortSpace;
import org.rdma4j.wire.PrivateData;

/** Alternate paths in connection management (12.8): with the request, or offered by LAP to a connection that stands. */
class CmAlternatePathTest extends CmScene {

    private static final Gid ELSEWHERE = Gid.ofIpv4(0x0A01_0002);
    private static final CmPath OTHER = path(ELSEWHERE, HandPlayedLink.DEVICE);
    private static final int ROUNDS = 40;
    private static final long RESPONSE_NANOS = 20_000_000_000L;

    private CmRep rep;
    private CmReq req;
    private long tid;

    private CmId passive(CmReq request) {
        listener(PortSpace.TCP, 0);
        says(TID, request);
        CmId id = event(CmEventType.CONNECT_REQUEST).id();
        queuePair(id);
        id.accept();
        rep = hears(CmRep.class);
        says(TID, new CmRtu(PEER_ID, rep.localCommId(), PrivateData.EMPTY));
        event(CmEventType.ESTABLISHED);
        return id;
    }

    private CmId active(AlternateRoute route, int failover) {
        CmId id = CmId.create(device, channel, PortSpace.TCP);
        id.alternateRoute(route);
        id.resolveAddress(new InetSocketAddress(HandPlayedLink.PEER.toAddress(), PORT));
        event(CmEventType.ADDR_RESOLVED);
        id.resolveRoute();
        event(CmEventType.ROUTE_RESOLVED);
        queuePair(id);
        id.connect();
        CmMad mad = hearsMad();
        req = (CmReq) mad.message();
        tid = mad.transactionId();
        CmRep plain = rep(req, 1);
        says(
                tid,
                new CmRep(
                        plain.localCommId(),
                        plain.remoteCommId(),
                        0,
                        plain.localQpn(),
                        0,
                        plain.startingPsn(),
                        0,
                        plain.responderResources(),
                        plain.initiatorDepth(),
                        plain.targetAckDelay(),
                        failover,
                        false,
                        7,
                        false,
                        5,
                        PrivateData.EMPTY));
        hears(CmRtu.class);
        event(CmEventType.ESTABLISHED);
        return id;
    }

    private static AlternateRoute route() {
        return new AlternateRoute(HandPlayedLink.DEVICE.toAddress(), ELSEWHERE.toAddress(), 0x12345);
    }

    private int answerTo(long transaction, int commId, int qpn, CmPath path) {
        says(transaction, new CmLap(PEER_ID, commId, qpn, 20, path, PrivateData.EMPTY));
        CmMad answer = hearsMad();
        assertEquals(transaction, answer.transactionId());
        return ((CmApr) answer.message()).status();
    }

    private static void isRearmed(CmId id) {
        QpAttributes now = id.qp().query();
        assertEquals(PathMigrationState.REARM, now.migrationState());
        assertEquals(ELSEWHERE, now.alternateAv().dgid());
        assertEquals(0x12345, now.alternateAv().flowLabel());
        assertEquals(17, now.alternateTimeout());
    }

    @Test
    @DisplayName(
            "CM-18: the path of a LAP is loaded, the queue pair is rearmed, and the APR says so; once more, the same")
    void loaded() {
        CmId id = passive(req());
        assertEquals(CmApr.LOADED, answerTo(TID + 7, rep.localCommId(), id.qp().qpNum(), OTHER));
        isRearmed(id);
        assertEquals(CmApr.LOADED, answerTo(TID + 7, rep.localCommId(), id.qp().qpNum(), OTHER));
    }

    @Test
    @DisplayName("CM-18: a path that cannot be is refused by its status, and nothing is loaded")
    void refused() {
        CmId id = passive(req());
        int qpn = id.qp().qpNum();
        assertEquals(CmApr.INVALID_COMM_ID, answerTo(TID + 1, rep.localCommId() + 1, qpn, OTHER));
        assertEquals(CmApr.INVALID_QPN, answerTo(TID + 2, rep.localCommId(), qpn + 1, OTHER));
        assertEquals(CmApr.IS_CURRENT, answerTo(TID + 3, rep.localCommId(), qpn, req().primaryPath()));
        assertEquals(CmApr.INVALID_GID, answerTo(TID + 4, rep.localCommId(), qpn, path(ELSEWHERE, ELSEWHERE)));
        assertNull(id.qp().query().alternateAv());
        assertEquals(PathMigrationState.MIGRATED, id.qp().query().migrationState());
    }

    @Test
    @DisplayName("CM-18: an alternate path in the REQ is loaded, and the REP says that failover is accepted")
    void withTheRequest() {
        CmReq plain = req();
        CmReq offering = new CmReq(
                plain.localCommId(),
                0,
                plain.serviceId(),
                plain.localCaGuid(),
                0,
                plain.localQpn(),
                plain.responderResources(),
                0,
                plain.initiatorDepth(),
                0,
                20,
                CmReq.RC,
                false,
                PEER_PSN,
                20,
                5,
                0xFFFF,
                5,
                false,
                4,
                15,
                false,
                0,
                plain.primaryPath(),
                OTHER,
                plain.privateData());
        CmId id = passive(offering);
        assertEquals(0, rep.failoverAccepted());
        isRearmed(id);
    }

    @Test
    @DisplayName("CM-18: this side's offer is a LAP; with the APR its own queue pair is rearmed")
    void offers() {
        CmId id = active(null, 0);
        CompletableFuture<Void> done = id.loadAlternatePath(route());
        CmMad mad = hearsMad();
        CmLap lap = (CmLap) mad.message();
        assertEquals(PEER_QPN, lap.remoteQpn());
        assertEquals(HandPlayedLink.DEVICE, lap.alternatePath().localGid());
        assertEquals(ELSEWHERE, lap.alternatePath().remoteGid());
        assertFalse(done.isDone());
        assertThrows(CmException.class, () -> id.loadAlternatePath(route()), "one offer at a time");
        later(RESPONSE_NANOS);
        assertEquals(mad, hearsMad(), "no answer: sent again");
        says(mad.transactionId(), apr(CmApr.LOADED));
        assertTrue(done.isDone());
        done.join();
        isRearmed(id);
        later(RESPONSE_NANOS);
        hearsNothing();
    }

    private CmApr apr(int status) {
        return new CmApr(PEER_ID, req.localCommId(), 0, status, PrivateData.EMPTY, PrivateData.EMPTY);
    }

    @Test
    @DisplayName("CM-18: an APR that refuses, or none at all, fails the offer in words and leaves the connection alone")
    void refusedOffer() {
        CmId id = active(null, 0);
        CompletableFuture<Void> refused = id.loadAlternatePath(route());
        says(hearsMad().transactionId(), apr(CmApr.UNSUPPORTED));
        CompletionException why = assertThrows(CompletionException.class, refused::join);
        assertTrue(why.getMessage().contains("status 2 (alternate paths are not supported)"), why.getMessage());
        CompletableFuture<Void> unheard = id.loadAlternatePath(route());
        for (int attempt = 0; attempt < 16; attempt++) {
            hears(CmLap.class);
            later(RESPONSE_NANOS);
        }
        assertTrue(unheard.isCompletedExceptionally());
        CompletableFuture<Void> cut = id.loadAlternatePath(route());
        id.disconnect();
        assertTrue(cut.isCompletedExceptionally());
        assertNull(id.qp().query().alternateAv());
    }

    @Test
    @DisplayName("CM-18: a path offered in the own REQ is rearmed where the REP accepts failover")
    void offeredWithTheRequest() {
        CmId id = active(route(), 0);
        assertEquals(ELSEWHERE, req.alternatePath().remoteGid());
        isRearmed(id);
    }

    @Test
    @DisplayName("CM-18: and not where the REP says that it is refused")
    void refusedWithTheReply() {
        CmId id = active(route(), 2);
        assertNull(id.qp().query().alternateAv());
    }

    @Test
    @DisplayName("CM-25: the first packets of a connection say MigReq 1, and the peer's are taken with 1 and with 0")
    void firstPackets() {
        CmId id = active(null, 0);
        assertEquals(CmPath.NONE, req.alternatePath());
        id.qp()
                .postSend(new SendWorkRequest()
                        .reset(WrOpcode.SEND)
                        .inlineData(MemorySegment.ofArray(new byte[4]), 0, 4));
        device.progress();
        byte[] first = link.sent().poll();
        assertNotNull(first);
        assertTrue(Bth.migReq(MemorySegment.ofArray(first), 0));
        id.qp().postReceive(new ReceiveWorkRequest().reset(1));
        id.qp().postReceive(new ReceiveWorkRequest().reset(2));
        for (int packet = 0; packet < 2; packet++) {
            int psn = (req.startingPsn() + packet) & 0xFF_FFFF;
            link.sent().clear();
            sends(Packets.sendOnly(psn).ackReq().migReq(packet == 0), id.qp().qpNum());
            for (int round = 0; round < ROUNDS; round++) {
                device.progress(); // an acknowledgement may wait for more requests
            }
            byte[] ack = link.sent().poll();
            assertNotNull(ack, "a packet with MigReq " + (packet == 0) + " is not acknowledged");
            assertEquals(psn, Bth.psn(MemorySegment.ofArray(ack), 0));
        }
    }
}
