package org.rdma4j.iwarp.rdmap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rdma4j.iwarp.craft.Ulpdu;
import org.rdma4j.iwarp.memory.Hub;
import org.rdma4j.iwarp.memory.MemoryNetwork;
import org.rdma4j.iwarp.mpa.MpaRefusal;
import org.rdma4j.iwarp.mpa.MpaSettings;
import org.rdma4j.iwarp.wire.TaggedHeader;
import org.rdma4j.verbs.QpState;

/** Strangers and cheats at a listener's port: each is closed for a reason that is counted, and harms nobody else. */
class BadPeersTest {

    private static final long SECOND = 1_000_000_000L;

    private final Hub hub = new Hub();
    private final MemoryNetwork network = new MemoryNetwork(hub, "10.0.0.1");
    private final MemoryNetwork peerNetwork = new MemoryNetwork(hub, "10.0.0.2");
    private final HandPeer good = new HandPeer();
    private final HandPeer bad = new HandPeer();
    private Node device;
    private long now = SECOND;

    @BeforeEach
    void listen() {
        device = new Node(network, () -> now, new Random(1));
        device.withQp().listen(MpaSettings.defaults());
        good.connect(peerNetwork, device);
        good.sendRaw(HandPeer.frame(true, false, 4, 4));
        settle();
        good.takeFrame();
        assertEquals(QpState.RTS, device.qp.state());
    }

    @AfterEach
    void close() {
        device.close();
    }

    private void settle() {
        boolean worked = true;
        while (worked) {
            worked = device.device.progress();
            worked |= peerNetwork.poll(now);
            now += 1000;
        }
    }

    /** The stranger is gone, counted, and the other connection goes on. */
    private void isRefused(MpaRefusal reason) {
        assertEquals(1, device.iwarp.refusals(reason), () -> reason + " was not counted");
        long all = Arrays.stream(MpaRefusal.values())
                .mapToLong(device.iwarp::refusals)
                .sum();
        assertEquals(1, all);
        assertTrue(bad.ended || bad.broken, "it was not closed");
        assertEquals(List.of("requested", "established"), device.events);
        assertEquals(QpState.RTS, device.qp.state());
        good.send(Ulpdu.read(1, 5, 0, 0, 0, 0));
        settle();
        assertEquals(TaggedHeader.LENGTH, good.next().length);
    }

    @Test
    void aWebBrowser() {
        bad.connect(peerNetwork, device);
        bad.sendRaw("GET / HTTP/1.1\r\nHost: 10.0.0.1:7174\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        settle();
        isRefused(MpaRefusal.NOT_MPA);
        assertEquals(0, bad.arrived());
    }

    @Test
    void oneByteASecond() {
        bad.connect(peerNetwork, device);
        byte[] request = HandPeer.frame(true, false, 4, 4);
        for (int second = 0; second < 6; second++) {
            bad.sendRaw(request[second]);
            settle();
            now += SECOND;
        }
        settle();
        isRefused(MpaRefusal.REQUEST_TIMEOUT);
    }

    @Test
    void silence() {
        bad.connect(peerNetwork, device);
        settle();
        assertFalse(bad.ended);
        now += 5 * SECOND;
        settle();
        isRefused(MpaRefusal.REQUEST_TIMEOUT);
    }

    @Test
    void fpdusBeforeTheReply() {
        bad.connect(peerNetwork, device);
        bad.sendRaw(HandPeer.frame(true, false, 4, 4));
        bad.send(Ulpdu.write(1, 2, RdmapScene.bytes(8, 1)));
        settle();
        isRefused(MpaRefusal.EARLY_DATA);
    }

    @Test
    void privateDataThatLieAboutTheirLength() {
        bad.connect(peerNetwork, device);
        byte[] request = HandPeer.frame(true, false, 4, 4);
        request[18] = (byte) 0xFF;
        bad.sendRaw(request);
        settle();
        isRefused(MpaRefusal.PRIVATE_DATA_TOO_LONG);
    }

    @Test
    void privateDataThatNeverCome() {
        bad.connect(peerNetwork, device);
        byte[] request = HandPeer.frame(true, false, 4, 4);
        request[19] = 100;
        bad.sendRaw(request);
        settle();
        now += 5 * SECOND;
        settle();
        isRefused(MpaRefusal.REQUEST_TIMEOUT);
    }

    @Test
    void onlyHalfARequest() {
        bad.connect(peerNetwork, device);
        bad.sendRaw(HexFormat.of().parseHex("4d5041"));
        bad.finish();
        settle();
        isRefused(MpaRefusal.CLOSED);
    }
}
