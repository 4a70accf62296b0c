package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rdma4j.cm.CmEvent;
import org.rdma4j.cm.CmEventType;
import org.rdma4j.cm.CmException;
import org.rdma4j.cm.CmId;
import org.rdma4j.cm.ConnectionParameters;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.wire.CmAnswered;
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
import org.rdma4j.wire.IpCmHeader;
import org.rdma4j.wire.PortSpace;
import org.rdma4j.wire.PrivateData;
import org.rdma4j.wire.RejReason;
import org.rdma4j.wire.SidrStatus;

/** Connection management as the side that asks. */
class CmActiveTest extends CmScene {

    private static final long RESPONSE_NANOS = 6_000_000_000L;

    private CmReq req;
    private long tid;

    private CmId asked() {
        CmId id = asking(PortSpace.TCP);
        CmMad mad = hearsMad();
        req = (CmReq) mad.message();
        tid = mad.transactionId();
        return id;
    }

    private CmId established() {
        CmId id = asked();
        says(tid, rep(req, 1));
        hears(CmRtu.class);
        event(CmEventType.ESTABLISHED);
        return id;
    }

    private CmRej rej(RejReason reason) {
        return CmRej.of(0, req.localCommId(), CmAnswered.REQ, reason, PrivateData.EMPTY, PrivateData.of("sorry"));
    }

    @Test
    @DisplayName("CM-01, CM-23: what the REP says is what the queue pair uses, and the RTU follows")
    void connects() {
        CmId id = asked();
        assertEquals(id.qp().qpNum(), req.localQpn());
        assertEquals(HandPlayedLink.DEVICE, req.primaryPath().localGid());
        assertEquals(HandPlayedLink.PEER, req.primaryPath().remoteGid());
        assertEquals(5, req.pathMtu());
        says(tid, rep(req, 1));
        CmMad rtu = hearsMad();
        assertEquals(tid, rtu.transactionId());
        assertEquals(PEER_ID, ((CmRtu) rtu.message()).remoteCommId());
        CmEvent established = event(CmEventType.ESTABLISHED);
        assertEquals(1, established.parameters().responderResources());
        assertEquals(4, established.parameters().initiatorDepth());
        QpAttributes used = id.qp().query();
        assertEquals(QpState.RTS, used.state());
        assertEquals(PEER_QPN, used.destQpNum());
        assertEquals(PEER_PSN, used.sqPsn());
        assertEquals(req.startingPsn(), used.rqPsn());
        assertEquals(4, used.maxRdAtomic());
        assertEquals(req.primaryPath().ackTimeout(), used.timeout());
        assertEquals(7, used.retryCount());
    }

    @Test
    @DisplayName("CM-03: a REP that comes again gets the RTU again")
    void replyAgain() {
        asked();
        says(tid, rep(req, 1));
        CmRtu rtu = hears(CmRtu.class);
        event(CmEventType.ESTABLISHED);
        says(tid, rep(req, 1));
        assertEquals(rtu, hears(CmRtu.class));
        noEvent();
    }

    @Test
    @DisplayName("CM-06: a rejection's reason and private data reach the application")
    void rejected() {
        asked();
        says(tid, rej(RejReason.CONSUMER_DEFINED));
        CmEvent event = event(CmEventType.REJECTED);
        assertEquals(28, event.status());
        assertEquals(PrivateData.of("sorry"), event.privateData().withoutFill());
        later(10 * RESPONSE_NANOS);
        hearsNothing();
    }

    @Test
    @DisplayName("CM-09: a REP that wants more READs outstanding than were offered is rejected with reason 27")
    void wantsTooMuch() {
        asked();
        says(tid, rep(req, req.responderResources() + 1));
        hearsReject(27);
        assertEquals(27, event(CmEventType.REJECTED).status());
    }

    @Test
    @DisplayName("CM-12: an MRA moves the time at which the REQ is sent again")
    void moreTime() {
        asked();
        says(tid, new CmMra(PEER_ID, req.localCommId(), CmAnswered.REQ, 22, PrivateData.EMPTY));
        later(15_000_000_000L);
        hearsNothing();
        later(10_000_000_000L);
        assertEquals(req, hears(CmReq.class));
    }

    @Test
    @DisplayName("CM-13: a disconnect sends DREQ until its DREP comes, or the retries are used up")
    void disconnects() {
        CmId id = established();
        id.disconnect();
        CmMad dreq = hearsMad();
        assertEquals(PEER_QPN, ((CmDreq) dreq.message()).remoteQpn());
        assertEquals(QpState.ERR, id.qp().state());
        later(RESPONSE_NANOS);
        assertEquals(dreq, hearsMad());
        noEvent();
        says(dreq.transactionId(), new CmDrep(PEER_ID, req.localCommId(), PrivateData.EMPTY));
        event(CmEventType.DISCONNECTED);
        later(RESPONSE_NANOS);
        event(CmEventType.TIMEWAIT_EXIT);
        hearsNothing();
    }

    @Test
    @DisplayName("CM-14: a REP for a connection that is not there is rejected with reason 6")
    void unknownReply() {
        asked();
        CmReq other = req(req.localCommId() + 1, 1, CmReq.RC, 5, req.primaryPath(), PrivateData.EMPTY);
        says(tid, rep(other, 1));
        hearsReject(6);
        noEvent();
    }

    @Test
    @DisplayName("CM-15: a REQ is sent as often as it says, then comes a REJ with reason 4, and UNREACHABLE")
    void noAnswer() {
        asked();
        for (int retry = 0; retry < req.maxCmRetries(); retry++) {
            later(RESPONSE_NANOS);
            assertEquals(req, hears(CmReq.class));
        }
        later(RESPONSE_NANOS);
        hearsReject(4);
        assertEquals(-110, event(CmEventType.UNREACHABLE).status());
        later(10 * RESPONSE_NANOS);
        hearsNothing();
    }

    @Test
    @DisplayName("CM-16: of two that ask each other the one with the larger CA GUID stays active, the other accepts")
    void simultaneous() {
        for (boolean larger : new boolean[] {true, false}) {
            CmId id = CmId.create(device, channel, PortSpace.IB);
            id.resolveAddress(new InetSocketAddress(HandPlayedLink.PEER.toAddress(), PORT));
            event(CmEventType.ADDR_RESOLVED);
            id.resolveRoute();
            event(CmEventType.ROUTE_RESOLVED);
            queuePair(id);
            id.connectPeer(ConnectionParameters.defaults());
            req = hears(CmReq.class);
            says(TID, peerReq(larger ? 0 : -1));
            if (larger) {
                hearsNothing();
            } else {
                assertEquals(PEER_ID, hears(CmRep.class).remoteCommId());
                says(TID, new CmRtu(PEER_ID, req.localCommId(), PrivateData.EMPTY));
                event(CmEventType.ESTABLISHED);
                assertEquals(PEER_QPN, id.qp().query().destQpNum());
            }
            id.close();
            device.progress();
            link.sent().clear();
        }
    }

    private CmReq peerReq(long guid) {
        CmReq one = req();
        return new CmReq(
                PEER_ID,
                0,
                PortSpace.IB.serviceId(PORT),
                guid,
                0,
                PEER_QPN,
                3,
                0,
                6,
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
                one.primaryPath(),
                one.alternatePath(),
                one.privateData());
    }

    @Test
    @DisplayName("CM-17: SIDR_REQ is sent until its reply comes; queue pair, Q_Key or status reach the application")
    void resolves() {
        asking(PortSpace.UDP);
        CmSidrReq question = hears(CmSidrReq.class);
        later(RESPONSE_NANOS);
        assertEquals(question, hears(CmSidrReq.class));
        says(TID, CmSidrRep.found(question.requestId(), 0x55, question.serviceId(), 0x66, PrivateData.EMPTY));
        CmEvent found = event(CmEventType.ESTABLISHED);
        assertEquals(0x55, found.datagrams().qpNum());
        assertEquals(0x66, found.datagrams().qkey());
        asking(PortSpace.UDP);
        CmSidrReq other = hears(CmSidrReq.class);
        says(TID, CmSidrRep.refused(other.requestId(), SidrStatus.REJECTED, other.serviceId(), PrivateData.EMPTY));
        assertEquals(
                SidrStatus.REJECTED.number(), event(CmEventType.UNREACHABLE).status());
    }

    @ParameterizedTest
    @EnumSource(
            value = PortSpace.class,
            names = {"TCP", "IB"})
    @DisplayName(
            "CM-19, CM-20: the service ID is port space and port; addresses and source port stand before the private data")
    void names(PortSpace space) {
        CmId id = asking(space);
        req = hears(CmReq.class);
        assertEquals((long) space.number() << 16 | PORT, req.serviceId());
        IpCmHeader header = IpCmHeader.parse(req.privateData());
        assertEquals(IpCmHeader.VERSION, header.version());
        assertEquals(4, header.ipVersion());
        assertEquals(id.localAddress().getPort(), header.sourcePort());
        assertEquals(HandPlayedLink.DEVICE, header.source());
        assertEquals(HandPlayedLink.PEER, header.destination());
    }

    @Test
    @DisplayName("CM-21: private data of full length arrives whole; longer is refused by the call")
    void privateData() {
        CmId id = CmId.create(device, channel, PortSpace.TCP);
        id.resolveAddress(new InetSocketAddress(HandPlayedLink.PEER.toAddress(), PORT));
        id.resolveRoute();
        queuePair(id);
        byte[] full = HandPlayedLink.bytes(3, 56);
        CmException refusal = assertThrows(
                CmException.class,
                () -> id.connect(
                        ConnectionParameters.defaults().withPrivateData(PrivateData.of(HandPlayedLink.bytes(3, 57)))));
        assertTrue(refusal.getMessage().startsWith("57 bytes of private data"), refusal.getMessage());
        id.connect(ConnectionParameters.defaults().withPrivateData(PrivateData.of(full)));
        CmMad mad = hearsMad();
        req = (CmReq) mad.message();
        assertEquals(PrivateData.of(full), req.privateData().from(IpCmHeader.LENGTH));
        event(CmEventType.ADDR_RESOLVED);
        event(CmEventType.ROUTE_RESOLVED);
        byte[] answer = HandPlayedLink.bytes(4, CmRep.PRIVATE_DATA_LENGTH);
        CmRep rep = rep(req, 1);
        says(
                mad.transactionId(),
                new CmRep(
                        rep.localCommId(),
                        rep.remoteCommId(),
                        0,
                        rep.localQpn(),
                        0,
                        rep.startingPsn(),
                        0,
                        4,
                        1,
                        15,
                        0,
                        false,
                        7,
                        false,
                        5,
                        PrivateData.of(answer)));
        assertEquals(PrivateData.of(answer), event(CmEventType.ESTABLISHED).privateData());
    }
}
