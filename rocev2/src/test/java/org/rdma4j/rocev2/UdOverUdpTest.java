package org.rdma4j.rocev2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.rocev2.udp.Loopback;
import org.rdma4j.verbs.AddressHandle;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.CompletionQueue;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceOptions;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.NetworkHeader;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.Grh;
import org.rdma4j.wire.Ipv4Header;

/** Datagrams between two queue pairs over real UDP sockets on loopback, and answers to them. */
@ParameterizedClass(name = "{0} and {1} over {2}")
@CsvSource({"ffm, ffm, IPv4", "nio, nio, IPv4", "ffm, nio, IPv4", "nio, ffm, IPv4", "ffm, ffm, IPv6", "nio, nio, IPv6"})
class UdOverUdpTest {

    private static final int Q_KEY = 0x0123_4567;
    private static final int LARGEST = 4096;
    private static final int HALF = 8192;

    private final String hereBy;
    private final String thereBy;
    private final boolean ipv6;
    private final Arena arena = Arena.ofShared();
    private Side here;
    private Side there;

    UdOverUdpTest(String hereBy, String thereBy, String family) {
        this.hereBy = hereBy;
        this.thereBy = thereBy;
        this.ipv6 = family.equals("IPv6");
    }

    /** One end: the first half of its memory is sent from, the second received in. */
    private final class Side {
        final DeviceContext device;
        final ProtectionDomain pd;
        final CompletionQueue cq;
        final QueuePair qp;
        final MemorySegment memory = arena.allocate(2L * HALF, 64);
        final MemoryRegion region;
        final WorkCompletion completion = new WorkCompletion();

        Side(DeviceContext device) {
            this.device = device;
            pd = device.allocPd();
            cq = device.createCq(16);
            qp = pd.createQp(QpInitAttributes.ud(cq));
            region = pd.register(memory, AccessFlags.LOCAL_WRITE);
            qp.modify(
                    new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).qkey(Q_KEY));
            qp.modify(new QpAttributes().state(QpState.RTR));
            qp.modify(new QpAttributes().state(QpState.RTS).sqPsn(0xFFFFFE));
        }

        WorkCompletion await() {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            while (!cq.poll(completion)) {
                assertTrue(System.nanoTime() < end, "no completion within 10 s");
                Thread.onSpinWait();
            }
            assertEquals(WcStatus.SUCCESS, completion.status(), completion::toString);
            return completion;
        }

        void send(AddressHandle way, int remoteQpn, int length, int immediate) {
            for (int at = 0; at < length; at++) {
                memory.set(ValueLayout.JAVA_BYTE, at, (byte) (at * 7 + length));
            }
            qp.postSend(new SendWorkRequest()
                    .reset(WrOpcode.SEND_WITH_IMM)
                    .wrId(1)
                    .immediate(immediate)
                    .ud(way, remoteQpn, Q_KEY)
                    .sge(region, 0, length)
                    .signaled());
        }

        void receives() {
            qp.postReceive(new ReceiveWorkRequest().reset(2).sge(region, HALF, Grh.LENGTH + LARGEST));
        }

        void received(Side from, int length, int immediate) {
            assertEquals(2, completion.wrId());
            assertEquals(Grh.LENGTH + length, completion.byteLength());
            assertEquals(immediate, completion.immediate());
            assertEquals(from.qp.qpNum(), completion.sourceQp());
            assertEquals(
                    -1,
                    memory.asSlice(HALF + Grh.LENGTH, length).mismatch(from.memory.asSlice(0, length)),
                    "bytes of the datagram");
            if (ipv6) {
                assertEquals(NetworkHeader.IPV6, completion.networkHeader());
                Grh header = Grh.parse(memory, HALF);
                assertEquals(from.device.queryGid(0), header.sgid());
                assertEquals(device.queryGid(0), header.dgid());
            } else {
                assertEquals(NetworkHeader.IPV4, completion.networkHeader());
                long at = HALF + Grh.LENGTH - Ipv4Header.LENGTH;
                Ipv4Header header = Ipv4Header.parse(memory, at);
                assertEquals(from.device.queryGid(0).ipv4(), header.source());
                assertEquals(device.queryGid(0).ipv4(), header.destination());
                assertEquals(Ipv4Header.expectedChecksum(memory, at), header.checksum());
            }
        }
    }

    @BeforeEach
    void open() {
        if (ipv6) {
            here = new Side(open("::1", hereBy, Loopback.port()));
            there = new Side(here.device);
        } else {
            here = new Side(open(Loopback.address(5), hereBy, LinkOptions.ROCE_V2_PORT));
            there = new Side(open(Loopback.address(6), thereBy, LinkOptions.ROCE_V2_PORT));
        }
    }

    private static DeviceContext open(String address, String implementation, int port) {
        return DeviceContext.open(
                "roce2:" + address, DeviceOptions.defaults().withLink(new LinkOptions(port, 0, implementation, false)));
    }

    @AfterEach
    void close() {
        here.device.close();
        there.device.close();
        arena.close();
    }

    @Test
    void datagramsArriveAndAreAnswered() {
        AddressHandle way = here.pd.createAh(AhAttributes.to(there.device.queryGid(0)));
        for (int length : new int[] {0, 1, 3, 64, 1023, LARGEST}) {
            there.receives();
            here.send(way, there.qp.qpNum(), length, ~length);
            assertEquals(1, here.await().wrId());
            WorkCompletion question = there.await();
            there.received(here, length, ~length);
            try (AddressHandle back = there.pd.createAh(question, there.memory, HALF)) {
                here.receives();
                there.send(back, question.sourceQp(), length, length);
                assertEquals(1, there.await().wrId());
                here.await();
                here.received(there, length, length);
            }
        }
    }
}
