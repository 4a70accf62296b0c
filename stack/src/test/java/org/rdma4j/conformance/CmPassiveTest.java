package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rdma4j.cm.CmEvent;
import org.rdma4j.cm.CmEventType;
import org.rdma4j.cm.CmId;
import org.rdma4j.cm.ConnectionParameters;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.CmAnswered;
import org.rdma4j.wire.CmApr;
import org.rdma4j.wire.CmDrep;
import org.rdma4j.wire.CmDreq;
import org.rdma4j.wire.CmLap;
import org.rdma4j.wire.CmMad;
import org.rdma4j.wire.CmMra;
import org.rdma4j.wire.CmPath;
import org.rdma4j.wire.CmRej;
import org.rdma4j.wire.CmRep;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.CmRtu;
import org.rdma4j.wire.CmSidrRep;
import org.rdma4j.wire.CmSidrReq;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.IpCmHeader;
import org.rdma4j.wire.MadHeader;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.PortSpace;
import org.rdma4j.wire.PrivateData;
import org.rdma4j.wire.SidrStatus;

/** Connection management as the side that is asked. */
class CmPassiveTest extends CmScene {

    private CmRep rep;

    private CmId accepted() {
        listener(PortSpace.TCP, 0);
        says(TID, req());
        CmId id = event(CmEventType.CONNECT_REQUEST).id();
        queuePair(id);
        id.accept();
        rep = hears(CmRep.class);
        return id;
    }

    private CmId established() {
        CmId id = accepted();
        says(TID, new CmRtu(PEER_ID, rep.localCommId(), PrivateData.EMPTY));
        event(CmEventType.ESTABLISHED);
        return id;
    }

    private CmDreq dreq(int qpn) {
        return new CmDreq(PEER_ID, rep.localCommId(), qpn, PrivateData.EMPTY);
    }

    @Test
    @DisplayName(
            "CM-01, CM-23: what a REQ says is what the application hears, what the REP answers and what the queue pair uses")
    void accepts() {
        CmId listener = listener(PortSpace.TCP, 0);
        says(TID, req());
        CmEvent request = event(CmEventType.CONNECT_REQUEST);
        assertEquals(listener, request.listener());
        assertEquals(6, request.parameters().responderResources());
        assertEquals(3, request.parameters().initiatorDepth());
        assertEquals(PrivateData.of("hi"), request.privateData().withoutFill());
        queuePair(request.id());
        request.id().accept(ConnectionParameters.defaults().withResources(5, 2));
        CmMad answer = hearsMad();
        assertEquals(TID, answer.transactionId());
        rep = (CmRep) answer.message();
        assertEquals(PEER_ID, rep.remoteCommId());
        assertEquals(request.id().qp().qpNum(), rep.localQpn());
        assertEquals(5, rep.responderResources());
        assertEquals(2, rep.initiatorDepth());
        QpAttributes used = request.id().qp().query();
        assertEquals(PEER_QPN, used.destQpNum());
        assertEquals(PEER_PSN, used.sqPsn());
        assertEquals(rep.startingPsn(), used.rqPsn());
        assertEquals(4096, used.pathMtu());
        assertEquals(17, used.timeout());
        assertEquals(5, used.retryCount());
        assertEquals(4, used.rnrRetry());
        assertEquals(HandPlayedLink.PEER, used.av().dgid());
        assertEquals(0x12345, used.av().flowLabel());
        says(TID, new CmRtu(PEER_ID, rep.localCommId(), PrivateData.EMPTY));
        event(CmEventType.ESTABLISHED);
    }

    @Test
    @DisplayName(
            "CM-02: a REQ that comes again gets an MRA while the application thinks, then the same REP, and makes no second connection")
    void requestAgain() {
        listener(PortSpace.TCP, 0);
        says(TID, req());
        CmId id = event(CmEventType.CONNECT_REQUEST).id();
        says(TID, req());
        assertEquals(CmAnswered.REQ, hears(CmMra.class).answered());
        queuePair(id);
        id.accept();
        rep = hears(CmRep.class);
        says(TID, req());
        assertEquals(rep, hears(CmRep.class));
        says(TID, new CmRtu(PEER_ID, rep.localCommId(), PrivateData.EMPTY));
        event(CmEventType.ESTABLISHED);
        says(TID, req());
        hearsNothing();
        noEvent();
    }

    @Test
    @DisplayName("CM-03: a REP without an RTU is sent again; the first packet on the queue pair is as good as the RTU")
    void replyAgainAndFirstPacket() {
        CmId id = accepted();
        later(6_000_000_000L);
        assertEquals(rep, hears(CmRep.class));
        sends(Packets.writeOnly(rep.startingPsn()).reth(0, 0, 0), id.qp().qpNum());
        event(CmEventType.ESTABLISHED);
        link.sent().clear();
        later(60_000_000_000L);
        hearsNothing();
    }

    @Test
    @DisplayName("CM-04: a service that nobody offers is rejected with reason 8")
    void nobodyListens() {
        listener(PortSpace.UDP, 0); // the same port of another space
        says(TID, req());
        CmRej rej = hears(CmRej.class);
        assertEquals(8, rej.reason());
        assertEquals(0, rej.localCommId());
        assertEquals(PEER_ID, rej.remoteCommId());
        assertEquals(CmAnswered.REQ, rej.answered());
    }

    @Test
    @DisplayName("CM-05: a listener whose backlog is full rejects with reason 3")
    void noRoom() {
        listener(PortSpace.TCP, 1);
        says(TID, req());
        event(CmEventType.CONNECT_REQUEST);
        says(TID + 1, req(PEER_ID + 1, PEER_QPN + 1, CmReq.RC, 5, req().primaryPath(), req().privateData()));
        hearsReject(3);
        noEvent();
    }

    @Test
    @DisplayName("CM-06: an application's rejection carries reason 28 and its private data, the same for the same REQ")
    void applicationRejects() {
        listener(PortSpace.TCP, 0);
        says(TID, req());
        event(CmEventType.CONNECT_REQUEST).id().reject(PrivateData.of("no"));
        CmRej rej = hears(CmRej.class);
        assertEquals(28, rej.reason());
        assertEquals(PrivateData.of("no"), rej.privateData().withoutFill());
        says(TID, req());
        assertEquals(rej, hears(CmRej.class));
        noEvent();
    }

    @ParameterizedTest
    @CsvSource({"10.0.0.2, 10.0.0.9", "fd00::2, 10.0.0.1", "10.0.0.2, fd00::1"})
    @DisplayName(
            "CM-07: a path that does not lead here, or is of two families, is rejected with reason 12 and a GID that does")
    void otherGid(String local, String remote) throws UnknownHostException {
        listener(PortSpace.TCP, 0);
        CmPath path = path(Gid.of(InetAddress.getByName(local)), Gid.of(InetAddress.getByName(remote)));
        says(TID, req(PEER_ID, PEER_QPN, CmReq.RC, 5, path, req().privateData()));
        CmRej rej = hears(CmRej.class);
        assertEquals(12, rej.reason());
        assertEquals(16, rej.infoLength());
    }

    @ParameterizedTest
    @CsvSource({"0", "6", "15"})
    @DisplayName("CM-08: a path MTU that the port does not have is rejected with reason 26 and the largest one")
    void otherMtu(int code) {
        listener(PortSpace.TCP, 0);
        says(TID, req(PEER_ID, PEER_QPN, CmReq.RC, code, req().primaryPath(), req().privateData()));
        CmRej rej = hears(CmRej.class);
        assertEquals(26, rej.reason());
        assertEquals(0x50, rej.info().toBytes()[0]);
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "3"})
    @DisplayName("CM-10: a transport service other than the listener's is rejected with reason 9")
    void otherTransport(int transport) {
        listener(PortSpace.TCP, 0);
        says(TID, req(PEER_ID, PEER_QPN, transport, 5, req().primaryPath(), req().privateData()));
        hearsReject(9);
    }

    @Test
    @DisplayName(
            "CM-11: a REQ from a queue pair that has a connection is rejected with reason 10, and that connection ends")
    void staleConnection() {
        established();
        says(TID + 1, req(PEER_ID + 1, PEER_QPN, CmReq.RC, 5, req().primaryPath(), req().privateData()));
        hearsReject(10);
        hears(CmDreq.class);
        event(CmEventType.DISCONNECTED);
    }

    @Test
    @DisplayName("CM-12: an MRA to a REP moves the time at which it is sent again")
    void moreTime() {
        accepted();
        says(TID, new CmMra(PEER_ID, rep.localCommId(), CmAnswered.REP, 22, PrivateData.EMPTY));
        later(15_000_000_000L);
        hearsNothing();
        later(10_000_000_000L);
        assertEquals(rep, hears(CmRep.class));
    }

    @Test
    @DisplayName("CM-13: a DREQ is answered with a DREP, and again in timewait, and after that too")
    void disconnects() {
        CmId id = established();
        says(TID + 5, dreq(id.qp().qpNum()));
        CmMad drep = hearsMad();
        assertEquals(TID + 5, drep.transactionId());
        assertEquals(new CmDrep(rep.localCommId(), PEER_ID, drep.message().privateData()), drep.message());
        event(CmEventType.DISCONNECTED);
        says(TID + 5, dreq(id.qp().qpNum()));
        hears(CmDrep.class);
        later(10_000_000_000L);
        event(CmEventType.TIMEWAIT_EXIT);
        says(TID + 5, dreq(id.qp().qpNum()));
        hears(CmDrep.class);
        noEvent();
    }

    @Test
    @DisplayName("CM-13: who disconnects upon a message has acknowledged it")
    void acknowledgesBeforeItDisconnects() {
        CmId id = established();
        id.qp().postReceive(new ReceiveWorkRequest().reset(1));
        sends(Packets.sendOnly(rep.startingPsn()).ackReq(), id.qp().qpNum());
        assertTrue(cq.poll(new WorkCompletion()));
        id.disconnect();
        device.progress();
        assertTrue(link.sent().stream()
                .anyMatch(bytes -> Bth.opcode(MemorySegment.ofArray(bytes), 0) == Opcode.RC_ACKNOWLEDGE));
    }

    @Test
    @DisplayName(
            "CM-14: a DREQ that names another queue pair, or comes from another port, does nothing to the connection")
    void wrongDisconnect() {
        CmId id = established();
        says(TID + 5, dreq(id.qp().qpNum() ^ 1));
        hearsNothing();
        noEvent();
    }

    @Test
    @DisplayName("CM-15: a REP that is never answered ends in a REJ with reason 4 and in UNREACHABLE")
    void neverReady() {
        accepted();
        for (int retry = 0; retry < 15; retry++) {
            later(6_000_000_000L);
            assertEquals(rep, hears(CmRep.class));
        }
        later(6_000_000_000L);
        hearsReject(4);
        assertEquals(-110, event(CmEventType.UNREACHABLE).status());
    }

    @Test
    @DisplayName(
            "CM-17: SIDR_REQ is answered with queue pair and Q_Key, with status 1 where nobody listens, 2 where the application rejects")
    void resolves() {
        listener(PortSpace.TCP, 0);
        says(TID, new CmSidrReq(9, 0xFFFF, PortSpace.UDP.serviceId(PORT), privateData("")));
        assertEquals(SidrStatus.UNSUPPORTED.number(), hears(CmSidrRep.class).status());
        listener(PortSpace.UDP, 0);
        says(TID, new CmSidrReq(10, 0xFFFF, PortSpace.UDP.serviceId(PORT), privateData("who")));
        CmEvent request = event(CmEventType.CONNECT_REQUEST);
        assertEquals(PrivateData.of("who"), request.privateData().withoutFill());
        request.id().accept(ConnectionParameters.defaults().withQp(0x99, false));
        CmSidrRep found = hears(CmSidrRep.class);
        assertEquals(10, found.requestId());
        assertEquals(0x99, found.qpn());
        assertEquals(0x0123_4567, found.qKey());
        says(TID, new CmSidrReq(10, 0xFFFF, PortSpace.UDP.serviceId(PORT), privateData("who")));
        assertEquals(found, hears(CmSidrRep.class));
        says(TID, new CmSidrReq(11, 0xFFFF, PortSpace.UDP.serviceId(PORT), privateData("who")));
        event(CmEventType.CONNECT_REQUEST).id().reject(PrivateData.of("no"));
        assertEquals(SidrStatus.REJECTED.number(), hears(CmSidrRep.class).status());
    }

    @ParameterizedTest
    @CsvSource({"1, 4", "0, 5", "0, 0"})
    @DisplayName("CM-19: an IP CM header of another version or IP version is rejected with reason 5")
    void otherIpService(int version, int ipVersion) {
        listener(PortSpace.TCP, 0);
        PrivateData data = new IpCmHeader(version, ipVersion, 1, HandPlayedLink.PEER, HandPlayedLink.DEVICE)
                .before(PrivateData.EMPTY);
        says(TID, req(PEER_ID, PEER_QPN, CmReq.RC, 5, req().primaryPath(), data));
        hearsReject(5);
    }

    @Test
    @DisplayName(
            "CM-22: a REQ of another class version is rejected with reason 31; other versions, methods and lengths get no answer")
    void malformedDatagrams() {
        listener(PortSpace.TCP, 0);
        byte[] good = new CmMad(TID, 0, req()).toBytes();
        byte[] version = good.clone();
        version[MadHeader.CLASS_VERSION_OFFSET] = 1;
        says(version);
        hearsReject(31);
        byte[] base = good.clone();
        base[MadHeader.BASE_VERSION_OFFSET] = 9;
        says(base);
        byte[] method = good.clone();
        method[MadHeader.METHOD_OFFSET] = 1;
        says(method);
        says(Arrays.copyOf(good, 252));
        says(new byte[0]);
        hearsNothing();
        noEvent();
    }

    @Test
    @DisplayName("CM-24: LIDs, service level, hop limit and traffic class of a RoCE path are taken as they are")
    void oddPath() {
        listener(PortSpace.TCP, 0);
        CmPath odd = new CmPath(7, 9, HandPlayedLink.PEER, HandPlayedLink.DEVICE, 0, 63, 0xFC, 0, 15, true, 31);
        says(TID, req(PEER_ID, PEER_QPN, CmReq.RC, 1, odd, req().privateData()));
        CmId id = event(CmEventType.CONNECT_REQUEST).id();
        queuePair(id);
        id.accept();
        hears(CmRep.class);
        assertEquals(0xFC, id.qp().query().av().trafficClass());
        assertEquals(256, id.qp().query().pathMtu());
    }

    @Test
    @DisplayName("CM-14, CM-22: datagrams of random bytes, and messages about nothing, change nothing")
    void noise() {
        established();
        Random random = new Random(5);
        for (int round = 0; round < 2000; round++) {
            byte[] bytes = new byte[MadHeader.MAD_LENGTH];
            random.nextBytes(bytes);
            if (random.nextBoolean()) {
                MadHeader.cm(random.nextLong(), 0x10 + random.nextInt(11), 0).emit(MemorySegment.ofArray(bytes), 0);
            }
            says(bytes);
        }
        noEvent();
        link.sent().clear();
        says(TID, new CmLap(PEER_ID, rep.localCommId(), rep.localQpn(), 20, CmPath.NONE, PrivateData.EMPTY));
        assertEquals(CmApr.INVALID_GID, hears(CmApr.class).status());
        assertTrue(link.sent().isEmpty());
    }
}
