package org.rdma4j.tools.conform.craft;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rdma4j.link.loop.LoopNetwork;
import org.rdma4j.wire.CmAnswered;
import org.rdma4j.wire.CmMad;
import org.rdma4j.wire.CmMessage;
import org.rdma4j.wire.CmRej;
import org.rdma4j.wire.CmRtu;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.MadHeader;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.PrivateData;
import org.rdma4j.wire.RejReason;

/** Whose a datagram to queue pair 1 is: nothing that a device says is lost because it names the wrong connection. */
class GsiTest {

    private static final Gid PEER = Gid.ofIpv4(0x0A00_0002);
    private static final Gid OTHER_HOST = Gid.ofIpv4(0x0A00_0003);
    private static final int OUR_ID = 0x1111;
    private static final int PEERS_ID = 0x2222;
    private static final int NOBODYS = 0x0BAD;
    private static final long TRANSACTION = 77;

    private final Wire wire = new Wire(new LoopNetwork().join(Gid.ofIpv4(0x0A00_0001)), () -> 0);
    private final Gsi gsi = wire.gsi();
    private final Line line = wire.open();
    private final Line other = wire.open();

    @BeforeEach
    void bothTalkWithThePeer() {
        line.connect(PEER, 0);
        other.connect(PEER, 0);
        line.answersTo(OUR_ID);
        other.answersTo(OUR_ID + 1);
    }

    private static Packet packet(long transaction, CmMessage message) {
        return packet(new CmMad(transaction, 0, message).toBytes());
    }

    private static Packet packet(byte[] mad) {
        byte[] bytes = Crafted.mad(0, mad).toBytes(MadHeader.GSI_QPN);
        return (Packet) Packet.parse(MemorySegment.ofArray(bytes), 0, bytes.length);
    }

    private static CmRtu rtu(int remote, int local) {
        return new CmRtu(local, remote, PrivateData.EMPTY);
    }

    private Set<Line> takers(Packet packet) {
        return Set.copyOf(gsi.linesFor(packet, PEER));
    }

    @Test
    void messageIsItsAddressees() {
        assertEquals(Set.of(line), takers(packet(1, rtu(OUR_ID, PEERS_ID))));
    }

    /** A REJ of one who gives up early, or who is wrong. */
    @Test
    void messageThatNamesOnlyItsSenderIsWhoseThatOneIs() {
        gsi.linesFor(packet(1, rtu(OUR_ID, PEERS_ID)), PEER);
        assertEquals(Set.of(line), takers(packet(2, rtu(NOBODYS, PEERS_ID))));
    }

    @Test
    void answerInATransactionOfOursIsWhoseThatOneIsWhomeverItNames() {
        gsi.says(packet(TRANSACTION, rtu(PEERS_ID, OUR_ID)), line);
        assertEquals(Set.of(line), takers(packet(TRANSACTION, rtu(NOBODYS, NOBODYS))));
        byte[] getResp = new CmMad(TRANSACTION, 0, rtu(NOBODYS, NOBODYS)).toBytes();
        getResp[MadHeader.METHOD_OFFSET] = (byte) 0x81;
        assertEquals(Set.of(line), takers(packet(getResp)));
    }

    @Test
    void messageOfNobodyReachesAllThatTalkWithItsSender() {
        assertEquals(Set.of(line, other), takers(packet(1, rtu(NOBODYS, PEERS_ID))));
        byte[] otherClass = new CmMad(1, 0, rtu(NOBODYS, PEERS_ID)).toBytes();
        otherClass[MadHeader.MANAGEMENT_CLASS_OFFSET] = 0x0A;
        assertEquals(Set.of(line, other), takers(packet(otherClass)));
        assertEquals(Set.of(line, other), takers(packet(new byte[100])));
        assertEquals(List.of(), gsi.linesFor(packet(1, rtu(NOBODYS, PEERS_ID)), OTHER_HOST));
    }

    @Test
    void messageOfADialogueThatIsOverReachesNobody() {
        gsi.linesFor(packet(1, rtu(OUR_ID, PEERS_ID)), PEER);
        line.close();
        assertEquals(Set.of(), takers(packet(2, rtu(OUR_ID, PEERS_ID))));
        CmRej late = CmRej.of(PEERS_ID, 0, CmAnswered.REQ, RejReason.TIMEOUT, PrivateData.EMPTY, PrivateData.EMPTY);
        assertEquals(Set.of(), takers(packet(3, late)));
    }

    /** A program that comes up when its check is over asks a closed line, and gives that up when it is ended. */
    @Test
    void requestToAClosedLineAndItsEndReachNobody() {
        CraftedReq req = new CraftedReq(PEERS_ID, 9, 0, 1024, 7471, PEER, wire.gid());
        line.serves(req.toReq().serviceId());
        line.close();
        assertEquals(Set.of(), takers(packet(1, req.toReq())));
        CmRej gaveUp = CmRej.of(PEERS_ID, 0, CmAnswered.REQ, RejReason.TIMEOUT, PrivateData.EMPTY, PrivateData.EMPTY);
        assertEquals(Set.of(), takers(packet(1, gaveUp)));
    }

    /** What a run before this one has left behind at the peer: it comes when nobody here talks yet. */
    @Test
    void messageOfADialogueBeforeThisRunReachesNobody() {
        line.close();
        other.close();
        assertEquals(Set.of(), takers(packet(1, rtu(NOBODYS, PEERS_ID))));
        Line next = wire.open();
        next.connect(PEER, 0);
        next.answersTo(OUR_ID + 2);
        assertEquals(Set.of(), takers(packet(1, rtu(NOBODYS, PEERS_ID))));
        assertEquals(Set.of(next), takers(packet(1, rtu(NOBODYS, PEERS_ID + 1))));
    }

    /** A request for a service of nobody's is shown once; that its sender gives it up later is no news. */
    @Test
    void requestForAnotherServiceIsShownToAllAndItsEndToOne() {
        CraftedReq req = new CraftedReq(PEERS_ID, 9, 0, 1024, 7471, PEER, wire.gid());
        assertEquals(Set.of(line, other), takers(packet(1, req.toReq())));
        CmRej gaveUp = CmRej.of(PEERS_ID, 0, CmAnswered.REQ, RejReason.TIMEOUT, PrivateData.EMPTY, PrivateData.EMPTY);
        assertEquals(1, takers(packet(1, gaveUp)).size());
    }
}
