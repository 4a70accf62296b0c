package org.rdma4j.iwarp.tap;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;
import java.util.SplittableRandom;
import org.rdma4j.iwarp.craft.FpduStream;
import org.rdma4j.iwarp.mpa.CrcRule;
import org.rdma4j.iwarp.mpa.MpaHandshake;
import org.rdma4j.iwarp.mpa.MpaSettings;
import org.rdma4j.iwarp.wire.DdpControl;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.iwarp.wire.ReadRequest;
import org.rdma4j.iwarp.wire.TaggedHeader;
import org.rdma4j.iwarp.wire.UntaggedHeader;
import org.rdma4j.link.FrameTap;
import org.rdma4j.link.tap.PcapngTap;

/** A connection between two ends, each with a tap on one file, whose bytes pass in chunks of any size. */
final class TappedConnection {

    static final InetSocketAddress CLIENT = new InetSocketAddress("10.1.0.1", 43210);
    static final InetSocketAddress SERVER = new InetSocketAddress("10.1.0.2", 7174);

    /** Each operation once, both ways: what {@link #run} sends. */
    static final int FPDUS = 7;

    /** And the markers in it, where there are any: one every 512 bytes of both streams. */
    static final int MARKERS = 19;

    private final SplittableRandom random = new SplittableRandom(5044);
    private final ConnectionTap client;
    private final ConnectionTap server;
    private long now = 1_000_000;

    private TappedConnection(FrameTap atClient, FrameTap atServer, InetSocketAddress from, InetSocketAddress to) {
        client = new ConnectionTap(atClient, from, to, true, now);
        server = new ConnectionTap(atServer, to, from, false, now);
    }

    /** Writes a file with what arrives at both ends. */
    static void run(Path file, InetSocketAddress from, InetSocketAddress to, boolean crc, boolean markers)
            throws IOException {
        try (PcapngTap tap = PcapngTap.create(file)) {
            new TappedConnection(tap.arrivalsAt("client"), tap.arrivalsAt("server"), from, to).run(crc, markers);
        }
    }

    private void run(boolean crc, boolean markers) {
        MpaSettings settings = MpaSettings.defaults().withCrc(crc, CrcRule.RFC).withMarkers(markers, true);
        MpaHandshake initiator = MpaHandshake.initiator(settings, new byte[] {1, 2, 3}, 0);
        MpaHandshake responder = MpaHandshake.responder(settings, 0);
        byte[] request = bytes(initiator.toSend());
        toServer(request);
        responder.feed(MemorySegment.ofArray(request), 0, request.length, 0);
        responder.accept(1, 1, new byte[0]);
        toClient(bytes(responder.toSend()));
        toServer(new FpduStream(markers, crc)
                .add(untagged(RdmapOpcode.SEND, 1, 1200))
                .add(tagged(RdmapOpcode.WRITE, 3000))
                .add(readRequest())
                .add(untagged(RdmapOpcode.SEND_SE, 2, 0))
                .bytes());
        toClient(new FpduStream(markers, crc)
                .add(tagged(RdmapOpcode.READ_RESPONSE, 4001))
                .add(untagged(RdmapOpcode.SEND_INVALIDATE, 1, 5))
                .add(untagged(RdmapOpcode.SEND, 2, 900)) // 1000 would end where a marker starts: tshark counts that one
                .bytes());
        client.finished(now);
        server.ended(now);
        server.finished(now);
        client.ended(now);
    }

    private void toServer(byte[] bytes) {
        pass(bytes, client, server);
    }

    private void toClient(byte[] bytes) {
        pass(bytes, server, client);
    }

    private void pass(byte[] bytes, ConnectionTap from, ConnectionTap to) {
        for (int at = 0; at < bytes.length; ) {
            int part = Math.min(bytes.length - at, 1 + random.nextInt(900));
            now += 1000;
            from.sent(now, ByteBuffer.wrap(bytes, at, part));
            to.received(now, MemorySegment.ofArray(bytes), at, part);
            at += part;
        }
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    private static byte[] random(int header, int payload) {
        byte[] bytes = new byte[header + payload];
        new Random(payload).nextBytes(bytes);
        return bytes;
    }

    private static byte[] untagged(int opcode, int msn, int payload) {
        byte[] bytes = random(UntaggedHeader.LENGTH, payload);
        int queue = RdmapOpcode.queueNumber(opcode);
        UntaggedHeader.write(MemorySegment.ofArray(bytes), 0, DdpControl.of(opcode, true), 0, queue, msn, 0);
        return bytes;
    }

    private static byte[] tagged(int opcode, int payload) {
        byte[] bytes = random(TaggedHeader.LENGTH, payload);
        TaggedHeader.write(MemorySegment.ofArray(bytes), 0, DdpControl.of(opcode, true), 0x1234, 0x5678);
        return bytes;
    }

    private static byte[] readRequest() {
        byte[] bytes = untagged(RdmapOpcode.READ_REQUEST, 1, ReadRequest.LENGTH);
        ReadRequest.write(MemorySegment.ofArray(bytes), UntaggedHeader.LENGTH, 1, 2, 4001, 3, 4);
        return bytes;
    }
}
