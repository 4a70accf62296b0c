package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.rdma4j.conformance.Packets.ack;
import static org.rdma4j.conformance.Packets.readResponseOnly;
import static org.rdma4j.conformance.Packets.writeOnly;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.CompletionQueue;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.Psn;

/** A good connection on the device under attack, to a good peer that this class plays. */
final class FuzzBystander {

    static final int PEER_QPN = 0x77;

    private static final Gid PEER = Gid.ofIpv4(0x0A00_0063);
    private static final int LENGTH = 64;

    private final FuzzWorld world;
    private final QueuePair qp;
    private final CompletionQueue cq;
    private final MemorySegment memory = Arena.ofAuto().allocate(2 * LENGTH);
    private final MemoryRegion region;
    private final WorkCompletion completion = new WorkCompletion();
    private Packet seen;
    private int peerPsn = 0xFFFF00;
    private int devicePsn = 0xFFFF80;

    FuzzBystander(FuzzWorld world) {
        this.world = world;
        cq = world.device.createCq(16);
        region = world.pd.register(memory, Setup.ALL_ACCESS);
        qp = world.pd.createQp(QpInitAttributes.rc(cq));
        qp.modify(new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(Setup.ALL_ACCESS));
        qp.modify(new QpAttributes()
                .state(QpState.RTR)
                .av(AhAttributes.to(PEER))
                .pathMtu(1024)
                .destQpNum(PEER_QPN)
                .rqPsn(peerPsn)
                .maxDestRdAtomic(1)
                .minRnrTimer(1));
        qp.modify(new QpAttributes()
                .state(QpState.RTS)
                .sqPsn(devicePsn)
                .timeout(0)
                .retryCount(7)
                .rnrRetry(7)
                .maxRdAtomic(1));
    }

    /** The device's newest packet to the good peer. */
    void sees(Packet packet) {
        seen = packet;
    }

    /** The peer writes and gets its ACK; the device reads and gets its data. */
    void exchange() {
        WirePacket write =
                writeOnly(peerPsn).at(region, 0, LENGTH).payload(LENGTH).ackReq();
        answered(write, ack(peerPsn));
        assertArrayEquals(write.bytes(), memory.asSlice(0, LENGTH).toArray(ValueLayout.JAVA_BYTE));
        peerPsn = Psn.add(peerPsn, 1);

        qp.postSend(new SendWorkRequest()
                .reset(WrOpcode.RDMA_READ)
                .wrId(devicePsn)
                .signaled()
                .sge(region, LENGTH, LENGTH)
                .remote(Peer.ADDRESS, Peer.R_KEY));
        WirePacket response = readResponseOnly(devicePsn).payload(LENGTH);
        world.progress();
        isMatched(Packets.read(devicePsn));
        world.throwAt(PEER, response.toBytes(qp.qpNum()));
        world.progress();
        assertArrayEquals(response.bytes(), memory.asSlice(LENGTH, LENGTH).toArray(ValueLayout.JAVA_BYTE));
        assertEquals(true, cq.poll(completion), "the good connection's READ completes");
        assertEquals(WcStatus.SUCCESS, completion.status());
        assertEquals(devicePsn, completion.wrId());
        devicePsn = Psn.add(devicePsn, 1);
        assertEquals(QpState.RTS, qp.state());
    }

    private void answered(WirePacket packet, WirePacket expected) {
        world.throwAt(PEER, packet.toBytes(qp.qpNum()));
        world.progress();
        isMatched(expected);
    }

    private void isMatched(WirePacket expected) {
        for (int patience = 0; seen == null && patience < 1_000; patience++) {
            world.progress(); // others have their turns first
        }
        assertNotNull(seen, () -> "the good connection does not send " + expected);
        assertEquals(null, expected.mismatch(seen));
        seen = null;
    }
}
