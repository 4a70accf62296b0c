package org.rdma4j.iwarp.rdmap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.rdma4j.iwarp.ConnectionEnd;
import org.rdma4j.iwarp.craft.Ulpdu;
import org.rdma4j.iwarp.memory.Hub;
import org.rdma4j.iwarp.memory.MemoryNetwork;
import org.rdma4j.iwarp.mpa.MpaSettings;
import org.rdma4j.iwarp.wire.DdpControl;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.iwarp.wire.ReadRequest;
import org.rdma4j.iwarp.wire.TaggedHeader;
import org.rdma4j.iwarp.wire.Terminate;
import org.rdma4j.iwarp.wire.TerminateCode;
import org.rdma4j.iwarp.wire.TerminateEncoding;
import org.rdma4j.iwarp.wire.UntaggedHeader;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;

/** One device in virtual time, and its peer played by hand: connected, the memory filled with a pattern that shows touch. */
abstract class RdmapScene {

    static final int BYTES = 4096;
    static final byte UNTOUCHED = 0x5A;

    final Hub hub = new Hub();
    final MemoryNetwork network = new MemoryNetwork(hub, "10.0.0.1");
    final MemoryNetwork peerNetwork = new MemoryNetwork(hub, "10.0.0.2");
    final HandPeer peer = new HandPeer();
    Node device;
    MemoryRegion region;
    long now = 1_000_000_000L;

    /** How the device is to be; before it is connected. */
    boolean extended() {
        return false;
    }

    MpaSettings settings() {
        return MpaSettings.defaults();
    }

    @BeforeEach
    void prepare() {
        device = new Node(network, () -> now, new Random(1));
        device.withQp(device.attributes().withExtendedOps(extended()));
        region = device.register(BYTES);
        region.memory().fill(UNTOUCHED);
    }

    @AfterEach
    void close() {
        device.close();
    }

    /** The peer asks for the connection. */
    void peerConnects() {
        device.listen(settings());
        peer.connect(peerNetwork, device);
        peer.sendRaw(HandPeer.frame(true, settings().crc(), 8, 8));
        settle();
        peer.takeFrame();
        assertEquals(QpState.RTS, device.qp.state());
    }

    /** The device asks for it. */
    void deviceConnects() {
        deviceConnects(0);
    }

    /** The device asks for it, and the peer takes so many nanoseconds for its reply. */
    void deviceConnects(long thinking) {
        peer.listen(peerNetwork, Node.PORT);
        device.device.control(() -> device.connection = device.iwarp.connect(
                null,
                new java.net.InetSocketAddress(peerNetwork.address(), Node.PORT),
                device.qp.qpNum(),
                org.rdma4j.iwarp.ConnectParameters.of(new byte[0], device.ird, device.ord)
                        .withSettings(settings()),
                device));
        settle();
        peer.takeFrame();
        pass(thinking);
        peer.sendRaw(HandPeer.frame(false, settings().crc(), 2, 2));
        settle();
        assertEquals(QpState.RTS, device.qp.state());
    }

    void settle() {
        boolean worked = true;
        while (worked) {
            worked = device.device.progress();
            worked |= peerNetwork.poll(now);
            now += 1000;
        }
    }

    void pass(long nanos) {
        now += nanos;
        settle();
    }

    void sends(Ulpdu... segments) {
        for (Ulpdu segment : segments) {
            peer.send(segment);
        }
        settle();
    }

    void receives(long id, int offset, int length) {
        device.qp.postReceive(new ReceiveWorkRequest().reset(id).sge(region, offset, length));
    }

    SendWorkRequest request(WrOpcode opcode, long id) {
        return new SendWorkRequest().reset(opcode).wrId(id).signaled();
    }

    WorkCompletion completes(long id, WcStatus status) {
        WorkCompletion completion = device.poll();
        assertNotNull(completion, "nothing has completed");
        assertEquals(status, completion.status());
        assertEquals(id, completion.wrId());
        return completion;
    }

    void completesNothing() {
        WorkCompletion completion = device.poll();
        assertNull(completion, () -> "completed: " + completion.wrId() + " " + completion.status());
    }

    byte[] memory(int offset, int length) {
        return region.memory().asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    void assertUntouched() {
        byte[] all = new byte[BYTES];
        Arrays.fill(all, UNTOUCHED);
        assertArrayEquals(all, memory(0, BYTES));
    }

    static byte[] bytes(int length, int seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    /** The peer sends a segment that the device ends the stream about. */
    void refuses(TerminateCode code, Ulpdu wrong) {
        sends(wrong);
        terminates(code, wrong);
    }

    /** The device ends the stream about a segment, by the book: one Terminate, a FIN behind it, and nothing else. */
    void terminates(TerminateCode code, Ulpdu about) {
        byte[] terminate = peer.next();
        assertNotNull(terminate, () -> "no Terminate has come; the device is in " + device.qp.state());
        MemorySegment segment = MemorySegment.ofArray(terminate);
        assertEquals(DdpControl.of(RdmapOpcode.TERMINATE, true), UntaggedHeader.control(segment, 0));
        assertEquals(UntaggedHeader.TERMINATE_QUEUE, UntaggedHeader.queueNumber(segment, 0));
        assertEquals(1, UntaggedHeader.messageSequenceNumber(segment, 0));
        assertEquals(0, UntaggedHeader.messageOffset(segment, 0));
        Terminate said = Terminate.parse(segment, UntaggedHeader.LENGTH, TerminateEncoding.RFC);
        assertEquals(code, TerminateCode.of(said.layer(), said.errorType(), said.errorCode()));
        int header = UntaggedHeader.LENGTH + Terminate.CONTROL_LENGTH;
        if (about == null) {
            assertEquals(header, terminate.length);
            assertFalse(said.hasSegmentLength() || said.hasDdpHeader() || said.hasRdmapHeader());
        } else {
            copies(about.bytes(), said, terminate);
        }
        isOver(ConnectionEnd.Reason.TERMINATED, code);
        assertNull(peer.next(), "something comes behind the Terminate");
        assertTrue(peer.ended, "no FIN behind the Terminate");
    }

    private static void copies(byte[] about, Terminate said, byte[] terminate) {
        assertTrue(said.hasSegmentLength() && said.hasDdpHeader());
        int at = UntaggedHeader.LENGTH + Terminate.SEGMENT_LENGTH_OFFSET;
        assertEquals(about.length, (terminate[at] & 0xFF) << 8 | terminate[at + 1] & 0xFF);
        boolean tagged = (about[0] & 0x80) != 0;
        int copied = tagged ? TaggedHeader.LENGTH : UntaggedHeader.LENGTH;
        boolean request = !tagged
                && (about[1] & 0xF) == RdmapOpcode.READ_REQUEST
                && said.layer() == TerminateCode.LAYER_RDMAP
                && about.length >= UntaggedHeader.LENGTH + ReadRequest.LENGTH;
        assertEquals(request, said.hasRdmapHeader());
        copied += request ? ReadRequest.LENGTH : 0;
        at = UntaggedHeader.LENGTH + Terminate.DDP_HEADER_OFFSET;
        assertEquals(at + copied, terminate.length);
        assertArrayEquals(Arrays.copyOf(about, copied), Arrays.copyOfRange(terminate, at, at + copied));
    }

    /** The connection is over, which its owner was told once, and the queue pair is in ERR. */
    void isOver(ConnectionEnd.Reason reason, TerminateCode code) {
        assertEquals(QpState.ERR, device.qp.state());
        assertEquals(1, device.ends.size());
        assertEquals(reason, device.ends.getFirst().reason());
        assertEquals(code, device.ends.getFirst().terminate());
    }

    /** What peers send as a Terminate. */
    static Ulpdu terminate(byte... message) {
        return Ulpdu.untagged(RdmapOpcode.TERMINATE, true, UntaggedHeader.TERMINATE_QUEUE, 1, 0, message);
    }
}
