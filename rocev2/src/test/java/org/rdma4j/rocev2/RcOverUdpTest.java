package org.rdma4j.rocev2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;
import org.rdma4j.link.LinkCounters;
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
import org.rdma4j.verbs.WcOpcode;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;

/**
 * Every RC operation between two devices of this process, over real UDP sockets on loopback: by system calls, by
 * channels, and one against the other. There is one IPv6 loopback address, so there a device talks to itself.
 */
@ParameterizedClass(name = "{0} and {1} over {2}")
@CsvSource({"ffm, ffm, IPv4", "nio, nio, IPv4", "ffm, nio, IPv4", "nio, ffm, IPv4", "ffm, ffm, IPv6", "nio, nio, IPv6"})
class RcOverUdpTest {

    private static final int ALL =
            AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;
    private static final int SIZE = 1 << 20;

    private final String hereBy;
    private final String thereBy;
    private final boolean ipv6;

    private final Arena arena = Arena.ofShared();
    private Side here;
    private Side there;
    private int port = LinkOptions.ROCE_V2_PORT;

    RcOverUdpTest(String hereBy, String thereBy, String family) {
        this.hereBy = hereBy;
        this.thereBy = thereBy;
        this.ipv6 = family.equals("IPv6");
    }

    /** One end. */
    private final class Side {
        final DeviceContext device;
        final ProtectionDomain pd;
        final CompletionQueue cq;
        final QueuePair qp;
        final MemorySegment memory;
        final MemoryRegion region;
        final WorkCompletion completion = new WorkCompletion();

        Side(DeviceContext device) {
            this.device = device;
            pd = device.allocPd();
            cq = device.createCq(1024);
            qp = pd.createQp(QpInitAttributes.rc(cq));
            memory = arena.allocate(SIZE, 64);
            region = pd.register(memory, ALL);
        }

        void connect(Side peer, int psn) {
            qp.modify(
                    new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(ALL));
            qp.modify(new QpAttributes()
                    .state(QpState.RTR)
                    .av(AhAttributes.to(peer.device.queryGid(0)))
                    .pathMtu(4096)
                    .destQpNum(peer.qp.qpNum())
                    .rqPsn(psn)
                    .maxDestRdAtomic(16)
                    .minRnrTimer(12));
            qp.modify(new QpAttributes()
                    .state(QpState.RTS)
                    .sqPsn(psn)
                    .timeout(14)
                    .retryCount(7)
                    .rnrRetry(7)
                    .maxRdAtomic(16));
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
    }

    @BeforeEach
    void connect() {
        if (ipv6) {
            port = Loopback.port();
            here = new Side(open("::1", hereBy));
            there = new Side(here.device);
        } else {
            here = new Side(open(Loopback.address(3), hereBy));
            there = new Side(open(Loopback.address(4), thereBy));
        }
        here.connect(there, 0xFFFFF0);
        there.connect(here, 0xFFFFF0);
    }

    private DeviceContext open(String address, String implementation) {
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
    void everyOperationMovesItsBytes() {
        new Random(1).ints(SIZE / 4).forEach(new java.util.function.IntConsumer() {
            private long at;

            @Override
            public void accept(int value) {
                here.memory.set(ValueLayout.JAVA_INT, at, value);
                at += 4;
            }
        });
        SendWorkRequest wr = new SendWorkRequest();
        here.qp.postSend(wr.reset(WrOpcode.RDMA_WRITE)
                .wrId(1)
                .sge(here.region, 0, SIZE)
                .remote(there.region.address(), there.region.rKey())
                .signaled());
        assertEquals(1, here.await().wrId());
        assertEquals(-1, here.memory.mismatch(there.memory));

        here.memory.asSlice(0, SIZE).fill((byte) 0);
        here.qp.postSend(wr.reset(WrOpcode.RDMA_READ)
                .wrId(2)
                .sge(here.region, 0, SIZE)
                .remote(there.region.address(), there.region.rKey())
                .signaled());
        assertEquals(2, here.await().wrId());
        assertEquals(-1, here.memory.mismatch(there.memory));

        there.memory.fill((byte) 0);
        there.qp.postReceive(new ReceiveWorkRequest().reset(3).sge(there.region, 0, SIZE));
        here.qp.postSend(wr.reset(WrOpcode.SEND_WITH_IMM)
                .wrId(4)
                .sge(here.region, 0, SIZE)
                .immediate(0x12345678)
                .signaled());
        assertEquals(4, here.await().wrId());
        WorkCompletion received = there.await();
        assertEquals(WcOpcode.RECV, received.opcode());
        assertEquals(0x12345678, received.immediate());
        assertEquals(SIZE, received.byteLength());
        assertEquals(-1, here.memory.mismatch(there.memory));

        there.memory.set(ValueLayout.JAVA_LONG, 8, 40);
        here.qp.postSend(wr.reset(WrOpcode.ATOMIC_FETCH_AND_ADD)
                .wrId(5)
                .sge(here.region, 0, 8)
                .remote(there.region.address() + 8, there.region.rKey())
                .fetchAdd(2)
                .signaled());
        here.await();
        assertEquals(40, here.memory.get(ValueLayout.JAVA_LONG, 0));
        assertEquals(42, there.memory.get(ValueLayout.JAVA_LONG, 8));

        here.qp.postSend(wr.reset(WrOpcode.ATOMIC_CMP_AND_SWP)
                .wrId(6)
                .sge(here.region, 0, 8)
                .remote(there.region.address() + 8, there.region.rKey())
                .compareSwap(42, 7)
                .signaled());
        here.await();
        assertEquals(42, here.memory.get(ValueLayout.JAVA_LONG, 0));
        assertEquals(7, there.memory.get(ValueLayout.JAVA_LONG, 8));

        there.qp.postReceive(new ReceiveWorkRequest().reset(7));
        here.qp.postSend(wr.reset(WrOpcode.RDMA_WRITE_WITH_IMM)
                .wrId(8)
                .sge(here.region, 0, 1001)
                .remote(there.region.address(), there.region.rKey())
                .immediate(5)
                .signaled());
        assertEquals(8, here.await().wrId());
        received = there.await();
        assertEquals(WcOpcode.RECV_RDMA_WITH_IMM, received.opcode());
        assertEquals(5, received.immediate());
        assertEquals(-1, here.memory.asSlice(0, 1001).mismatch(there.memory.asSlice(0, 1001)));
    }

    /** Datagrams that no NIC ever sent, far more than 100,000 a second, from a socket that is no peer. */
    @Test
    void garbageAtThePortIsCountedAndTheGoodConnectionGoesOn() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        Thread flood = Thread.ofPlatform().start(() -> {
            throwGarbage(200_000);
            over.set(true);
        });
        here.memory.fill((byte) 0x5A);
        SendWorkRequest wr = new SendWorkRequest();
        int round = 0;
        do {
            int length = 1 + round * 7919 % SIZE;
            there.memory.fill((byte) 0);
            here.qp.postSend(wr.reset(round % 2 == 0 ? WrOpcode.RDMA_WRITE : WrOpcode.RDMA_READ)
                    .wrId(round)
                    .sge(here.region, 0, length)
                    .remote(there.region.address(), there.region.rKey())
                    .signaled());
            assertEquals(round, here.await().wrId());
            assertEquals(-1, here.memory.asSlice(0, length).mismatch(there.memory.asSlice(0, length)));
            assertEquals(0, there.memory.get(ValueLayout.JAVA_BYTE, SIZE - 1), "nothing behind the message's end");
            round++;
        } while (!over.get());
        flood.join();
        LinkCounters counters = here.device.linkCounters();
        assertTrue(counters.icrcErrors > 0 && counters.malformed > 0, "garbage of both kinds was counted");
        long decided = 0;
        for (Rule rule : Rule.values()) {
            decided += here.device.decisions(rule);
        }
        assertEquals(counters.receivedPackets, decided + counters.icrcErrors + counters.malformed);
    }

    private void throwGarbage(int count) {
        Random random = new Random(2);
        ByteBuffer datagram = ByteBuffer.allocateDirect(1500);
        try (DatagramChannel socket = DatagramChannel.open()) {
            InetSocketAddress target = new InetSocketAddress(here.device.name().substring("roce2:".length()), port);
            for (int i = 0; i < count; i++) {
                int length = random.nextInt(i % 100 == 0 ? 1500 : 64);
                datagram.clear().limit(length);
                while (datagram.remaining() >= Long.BYTES) {
                    datagram.putLong(random.nextLong());
                }
                if (length >= 16 && i % 3 == 0) {
                    datagram.putInt(0, 0x0440_FFFF)
                            .putInt(4, here.qp.qpNum()); // up to its ICRC, a packet of the connection
                }
                socket.send(datagram.rewind(), target);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
