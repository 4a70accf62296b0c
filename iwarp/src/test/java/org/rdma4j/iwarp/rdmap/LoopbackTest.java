package org.rdma4j.iwarp.rdmap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.rdma4j.iwarp.ConnectParameters;
import org.rdma4j.iwarp.ConnectionEnd;
import org.rdma4j.iwarp.ConnectionEvents;
import org.rdma4j.iwarp.IwarpConnection;
import org.rdma4j.iwarp.IwarpConnections;
import org.rdma4j.iwarp.IwarpListener;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.verbs.CompletionQueue;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceOptions;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.Progress;
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

/** Two devices over TCP on loopback, by verbs alone. */
class LoopbackTest {

    private static final int BYTES = 1 << 20;

    static final class End implements AutoCloseable, ConnectionEvents {
        final DeviceContext device;
        final IwarpConnections iwarp;
        final ProtectionDomain pd;
        final CompletionQueue cq;
        final QueuePair qp;
        final MemoryRegion region;
        final List<String> events = new ArrayList<>();
        IwarpConnection connection;

        End(String name) {
            device = DeviceContext.open(name, DeviceOptions.defaults().withProgress(Progress.CALLER));
            iwarp = device.family(IwarpConnections.class).orElseThrow();
            pd = device.allocPd();
            cq = device.createCq(64);
            qp = pd.createQp(QpInitAttributes.rc(cq).withDepths(16, 16));
            region = pd.register(
                    Arena.ofAuto().allocate(BYTES, 64),
                    AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ);
            qp.modify(new QpAttributes()
                    .state(QpState.INIT)
                    .pkeyIndex(0)
                    .port(1)
                    .accessFlags(AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ));
        }

        @Override
        public void requested(IwarpConnection asked) {
            events.add("requested");
            connection = asked;
            asked.accept(qp.qpNum(), ConnectParameters.of(new byte[] {7}, 4, 4));
        }

        @Override
        public void established(IwarpConnection done) {
            events.add("established");
        }

        @Override
        public void rejected(IwarpConnection no) {
            events.add("rejected");
        }

        @Override
        public void failed(IwarpConnection no, ConnectionEnd end) {
            events.add("failed " + end);
        }

        @Override
        public void ended(IwarpConnection over, ConnectionEnd end) {
            events.add("ended " + end.reason());
        }

        WorkCompletion await(End other) {
            WorkCompletion completion = new WorkCompletion();
            long end = System.nanoTime() + 5_000_000_000L;
            while (!cq.poll(completion)) {
                other.device.progress();
                assertTrue(System.nanoTime() < end, () -> "no completion; " + events + other.events);
            }
            return completion;
        }

        @Override
        public void close() {
            device.close();
        }
    }

    @Test
    void movesBytesBothWaysAndEndsInOrder() throws Exception {
        try (End here = new End("iwarp:127.0.0.1");
                End there = new End("iwarp:127.0.0.2")) {
            IwarpListener[] listener = new IwarpListener[1];
            there.device.control(() -> listener[0] =
                    there.iwarp.listen(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.2"), 0), 8, there));
            here.device.control(() -> here.connection = here.iwarp.connect(
                    null, listener[0].local(), here.qp.qpNum(), ConnectParameters.of(new byte[] {1, 2}, 2, 2), here));
            pump(here, there, () -> here.events.contains("established") && there.events.contains("established"));
            assertArrayEquals(new byte[] {1, 2}, there.connection.privateData());
            assertArrayEquals(new byte[] {7}, here.connection.privateData());
            byte[] content = new byte[BYTES];
            new Random(1).nextBytes(content);
            MemorySegment.copy(content, 0, here.region.memory(), ValueLayout.JAVA_BYTE, 0, BYTES);

            there.qp.postReceive(new ReceiveWorkRequest().reset(9).sge(there.region, 0, 4096));
            here.qp.postSend(new SendWorkRequest()
                    .reset(WrOpcode.RDMA_WRITE)
                    .wrId(1)
                    .signaled()
                    .sge(here.region, 0, BYTES)
                    .remote(there.region.address(), there.region.rKey()));
            here.qp.postSend(new SendWorkRequest()
                    .reset(WrOpcode.SEND)
                    .wrId(2)
                    .signaled()
                    .sge(here.region, 0, 100));
            assertEquals(WcStatus.SUCCESS, here.await(there).status());
            assertEquals(WcStatus.SUCCESS, here.await(there).status());
            WorkCompletion received = there.await(here);
            assertEquals(WcStatus.SUCCESS, received.status());
            assertEquals(100, received.byteLength());
            assertArrayEquals(content, there.region.memory().toArray(ValueLayout.JAVA_BYTE));

            here.region.memory().fill((byte) 0);
            here.qp.postSend(new SendWorkRequest()
                    .reset(WrOpcode.RDMA_READ)
                    .wrId(3)
                    .signaled()
                    .sge(here.region, 0, BYTES)
                    .remote(there.region.address(), there.region.rKey()));
            assertEquals(WcStatus.SUCCESS, here.await(there).status());
            assertArrayEquals(content, here.region.memory().toArray(ValueLayout.JAVA_BYTE));

            here.device.control(here.connection::disconnect);
            pump(here, there, () -> here.events.size() == 2 && there.events.size() == 3);
            assertEquals("ended DISCONNECTED", here.events.getLast());
            assertEquals("ended DISCONNECTED", there.events.getLast());
            assertEquals(QpState.ERR, here.qp.state());
            assertEquals(QpState.ERR, there.qp.state());
        }
    }

    private static void pump(End here, End there, java.util.function.BooleanSupplier until) {
        long end = System.nanoTime() + 5_000_000_000L;
        while (!until.getAsBoolean()) {
            here.device.progress();
            there.device.progress();
            assertTrue(System.nanoTime() < end, () -> here.events + " " + there.events);
        }
    }
}
