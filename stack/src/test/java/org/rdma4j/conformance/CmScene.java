package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.rdma4j.cm.CmEvent;
import org.rdma4j.cm.CmEventType;
import org.rdma4j.cm.CmId;
import org.rdma4j.cm.EventChannel;
import org.rdma4j.verbs.CompletionQueue;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceOptions;
import org.rdma4j.verbs.Progress;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.CmMad;
import org.rdma4j.wire.CmMessage;
import org.rdma4j.wire.CmPath;
import org.rdma4j.wire.CmRej;
import org.rdma4j.wire.CmRep;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.IpCmHeader;
import org.rdma4j.wire.MadHeader;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.PortSpace;
import org.rdma4j.wire.PrivateData;

/** A device with identifiers of connection management, and a peer that plays its datagrams by hand. */
abstract class CmScene {

    static final int PORT = 7174;
    static final int PEER_ID = 0x0BAD_CAFE;
    static final int PEER_QPN = 0x77;
    static final int PEER_PSN = 0x123456;
    static final long TID = 0x1111_2222_3333_4444L;

    final VirtualClock clock = new VirtualClock();
    final HandPlayedLink link = new HandPlayedLink(new Ladder(clock));
    final EventChannel channel = new EventChannel();
    DeviceContext device;
    ProtectionDomain pd;
    CompletionQueue cq;
    private int psn;

    @BeforeEach
    void open() {
        Random random = new Random(0x5EED);
        device = DeviceContext.on(
                link,
                DeviceOptions.defaults()
                        .withProgress(Progress.CALLER)
                        .withClock(clock)
                        .withRandom(random::nextInt));
        pd = device.allocPd();
        cq = device.createCq(64);
    }

    @AfterEach
    void close() {
        device.close();
    }

    // The application.

    CmId listener(PortSpace space, int backlog) {
        CmId id = CmId.create(device, channel, space);
        id.bind(new InetSocketAddress(HandPlayedLink.DEVICE.toAddress(), PORT));
        id.listen(backlog);
        return id;
    }

    QueuePair queuePair(CmId id) {
        return id.createQp(pd, QpInitAttributes.rc(cq));
    }

    /** An identifier that has sent its REQ to the peer, or its SIDR_REQ. */
    CmId asking(PortSpace space) {
        CmId id = CmId.create(device, channel, space);
        id.resolveAddress(new InetSocketAddress(HandPlayedLink.PEER.toAddress(), PORT));
        event(CmEventType.ADDR_RESOLVED);
        id.resolveRoute();
        event(CmEventType.ROUTE_RESOLVED);
        if (space == PortSpace.UDP) {
            id.createQp(pd, QpInitAttributes.ud(cq));
        } else {
            queuePair(id);
        }
        id.connect();
        device.progress();
        return id;
    }

    /** The next event, which must be this one. */
    CmEvent event(CmEventType type) {
        CmEvent event = next();
        assertNotNull(event, () -> "no event, expected " + type);
        assertEquals(type, event.type(), event::toString);
        return event;
    }

    void noEvent() {
        assertNull(next());
    }

    private CmEvent next() {
        try {
            return channel.getEvent(Duration.ZERO);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    // The peer.

    void says(long tid, CmMessage message) {
        says(new CmMad(tid, 0, message).toBytes());
    }

    void says(byte[] mad) {
        link.inject(
                HandPlayedLink.PEER,
                Packets.datagram(psn++)
                        .destQp(MadHeader.GSI_QPN)
                        .deth(MadHeader.GSI_Q_KEY, MadHeader.GSI_QPN)
                        .payload(mad)
                        .toBytes(MadHeader.GSI_QPN));
        device.progress();
        device.progress();
    }

    /** A packet to the queue pair of a connection. */
    void sends(WirePacket packet, int qpn) {
        link.inject(HandPlayedLink.PEER, packet.toBytes(qpn));
        device.progress();
    }

    /** The next datagram that the device sends to the peer's general services. */
    CmMad hearsMad() {
        device.progress();
        byte[] bytes = link.sent().poll();
        assertNotNull(bytes, "the device says nothing");
        Packet packet = (Packet) Packet.parse(MemorySegment.ofArray(bytes), 0, bytes.length);
        assertEquals(MadHeader.GSI_QPN, packet.bth().destQp());
        return (CmMad) CmMad.parse(packet.payload(), 0, (int) packet.payload().byteSize());
    }

    <T extends CmMessage> T hears(Class<T> type) {
        CmMessage message = hearsMad().message();
        assertEquals(type, message.getClass(), message::toString);
        return type.cast(message);
    }

    void hearsNothing() {
        device.progress();
        byte[] bytes = link.sent().poll();
        assertNull(bytes, () -> "unexpected: opcode " + Bth.opcode(MemorySegment.ofArray(bytes), 0));
    }

    void later(long nanos) {
        clock.advance(nanos);
        device.progress();
        device.progress();
    }

    static CmPath path(Gid local, Gid remote) {
        return new CmPath(0xFFFF, 0xFFFF, local, remote, 0x12345, 0, 0, 64, 0, false, 17);
    }

    static PrivateData privateData(String text) {
        return new IpCmHeader(0, 4, 40000, HandPlayedLink.PEER, HandPlayedLink.DEVICE).before(PrivateData.of(text));
    }

    /** A REQ that is well made. */
    static CmReq req() {
        return req(PEER_ID, PEER_QPN, CmReq.RC, 5, path(HandPlayedLink.PEER, HandPlayedLink.DEVICE), privateData("hi"));
    }

    static CmReq req(int id, int qpn, int transport, int mtu, CmPath path, PrivateData data) {
        return new CmReq(
                id,
                0,
                PortSpace.TCP.serviceId(PORT),
                5,
                0,
                qpn,
                3,
                0,
                6,
                0,
                20,
                transport,
                false,
                PEER_PSN,
                20,
                5,
                0xFFFF,
                mtu,
                false,
                4,
                15,
                false,
                0,
                path,
                CmPath.NONE,
                data);
    }

    /** A REP to the device's REQ. */
    static CmRep rep(CmReq req, int depth) {
        return new CmRep(
                PEER_ID,
                req.localCommId(),
                0,
                PEER_QPN,
                0,
                PEER_PSN,
                0,
                4,
                depth,
                15,
                0,
                false,
                7,
                false,
                5,
                PrivateData.EMPTY);
    }

    /** The device's answer to the peer's request is this one. */
    void hearsReject(int reason) {
        assertEquals(reason, hears(CmRej.class).reason());
    }
}
