package org.rdma4j.rocev2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.link.LinkException;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.rocev2.udp.Loopback;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.CompletionQueue;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceOptions;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Grh;
import org.rdma4j.wire.Ipv4Header;

/** What is sent to a group arrives at its members over real sockets on loopback, and nowhere else. */
class MulticastOverUdpTest {

    private static final int Q_KEY = 0x0123_4567;
    private static final int QPN = 0xFF_FFFF;
    private static final int LENGTH = 100;

    /** Each process has groups of its own, so that runs do not meet. */
    private static final int CORNER = (int) (ProcessHandle.current().pid() & 0xFFFF);

    private static final Gid GROUP = Gid.ofIpv4(0xEF4D_0000 | CORNER);
    private static final Gid OTHER_GROUP = Gid.ofIpv4(0xEF4E_0000 | CORNER);
    private static final Gid GROUP_V6 = new Gid(0xFF0E_0000_0000_0000L, 0x4D_0000 | CORNER);

    private final Arena arena = Arena.ofShared();
    private final List<DeviceContext> devices = new ArrayList<>();

    /** A queue pair with a receive posted. */
    private final class Station {
        final DeviceContext device;
        final ProtectionDomain pd;
        final CompletionQueue cq;
        final QueuePair qp;
        final MemorySegment memory = arena.allocate(1024, 64);
        final MemoryRegion region;
        final WorkCompletion completion = new WorkCompletion();

        Station(DeviceContext device) {
            this.device = device;
            pd = device.allocPd();
            cq = device.createCq(16);
            qp = pd.createQp(QpInitAttributes.ud(cq));
            region = pd.register(memory, AccessFlags.LOCAL_WRITE);
            qp.modify(
                    new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).qkey(Q_KEY));
            qp.modify(new QpAttributes().state(QpState.RTR));
            qp.modify(new QpAttributes().state(QpState.RTS).sqPsn(1));
            qp.postReceive(new ReceiveWorkRequest().reset(2).sge(region, 512, 512));
        }

        void sends(Gid group) {
            for (int at = 0; at < LENGTH; at++) {
                memory.set(ValueLayout.JAVA_BYTE, at, (byte) (at + 7));
            }
            qp.postSend(new SendWorkRequest()
                    .reset(WrOpcode.SEND)
                    .wrId(1)
                    .ud(pd.createAh(AhAttributes.to(group)), QPN, Q_KEY)
                    .sge(region, 0, LENGTH)
                    .signaled());
            assertEquals(1, await().wrId());
        }

        WorkCompletion await() {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            while (!cq.poll(completion)) {
                assertTrue(System.nanoTime() < end, "no completion within 10 s at " + device.name());
                Thread.onSpinWait();
            }
            assertTrue(completion.isSuccess(), completion::toString);
            return completion;
        }

        void received(Station from) {
            assertEquals(2, await().wrId());
            assertEquals(from.qp.qpNum(), completion.sourceQp());
            assertEquals(Grh.LENGTH + LENGTH, completion.byteLength());
            MemorySegment got = memory.asSlice(512 + Grh.LENGTH, LENGTH);
            assertEquals(-1, got.mismatch(from.memory.asSlice(0, LENGTH)));
        }

        void receivedNothing() {
            assertFalse(cq.poll(completion), completion::toString);
        }
    }

    private Station station(String address, String implementation, int port) {
        DeviceContext device = DeviceContext.open(
                "roce2:" + address, DeviceOptions.defaults().withLink(new LinkOptions(port, 0, implementation, false)));
        devices.add(device);
        return new Station(device);
    }

    private Station station(int last, String implementation) {
        return station(Loopback.address(last), implementation, LinkOptions.ROCE_V2_PORT);
    }

    @AfterEach
    void close() {
        devices.forEach(DeviceContext::close);
        arena.close();
    }

    @ParameterizedTest
    @CsvSource({"ffm, ffm, ffm", "nio, nio, nio", "ffm, nio, ffm", "nio, ffm, nio"})
    void membersOfAllDevicesOfThisHostReceive(String sender, String first, String second) {
        Station from = station(7, sender);
        Station one = station(8, first);
        Station two = station(9, second);
        Station stranger = new Station(two.device);
        from.qp.attachMulticast(GROUP, 0);
        one.qp.attachMulticast(GROUP, 0);
        two.qp.attachMulticast(GROUP, 0);
        stranger.qp.attachMulticast(OTHER_GROUP, 0);
        from.sends(GROUP);
        one.received(from);
        two.received(from);
        long header = 512 + Grh.LENGTH - Ipv4Header.LENGTH;
        assertEquals(from.device.queryGid(0).ipv4(), Ipv4Header.source(one.memory, header));
        assertEquals(GROUP.ipv4(), Ipv4Header.destination(one.memory, header));
        // Another round proves that whatever of the first was still under way has arrived.
        two.sends(OTHER_GROUP);
        stranger.received(two);
        from.receivedNothing();
        assertTrue(from.device.decisions(Rule.MULTICAST_OWN) <= 1);
    }

    @Test
    void whoLeavesReceivesNoMore() {
        Station from = station(7, "ffm");
        Station one = station(8, "ffm");
        Station two = station(9, "nio");
        for (Station member : List.of(one, two)) {
            member.qp.attachMulticast(GROUP, 0);
            member.qp.detachMulticast(GROUP, 0);
            member.qp.attachMulticast(OTHER_GROUP, 0);
        }
        from.sends(GROUP);
        from.sends(OTHER_GROUP);
        for (Station member : List.of(one, two)) {
            member.received(from);
            member.receivedNothing();
            assertEquals(0, member.device.decisions(Rule.MULTICAST_UNATTACHED));
        }
    }

    /** Linux has no way to IPv6 groups over lo, unless {@code ip -6 route add table local ff00::/8 dev lo} made one. */
    @ParameterizedTest
    @ValueSource(strings = {"ffm", "nio"})
    void ipv6GroupsWork(String implementation) {
        Station from = station("::1", implementation, Loopback.port());
        Station other = new Station(from.device);
        try {
            from.pd.createAh(AhAttributes.to(GROUP_V6)).close();
        } catch (LinkException e) {
            abort(e.getMessage());
        }
        from.qp.attachMulticast(GROUP_V6, 0);
        other.qp.attachMulticast(GROUP_V6, 0);
        from.sends(GROUP_V6);
        other.received(from);
        Grh header = Grh.parse(other.memory, 512);
        assertEquals(from.device.queryGid(0), header.sgid());
        assertEquals(GROUP_V6, header.dgid());
        from.receivedNothing();
    }
}
