package org.rdma4j.iwarp.rdmap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.rdma4j.iwarp.ConnectParameters;
import org.rdma4j.iwarp.ConnectionEnd;
import org.rdma4j.iwarp.ConnectionEvents;
import org.rdma4j.iwarp.IwarpConnection;
import org.rdma4j.iwarp.IwarpConnections;
import org.rdma4j.iwarp.IwarpListener;
import org.rdma4j.verbs.CompletionChannel;
import org.rdma4j.verbs.CompletionQueue;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.MemoryRegion;
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

/** Devices that drive themselves: whoever uses them sleeps until a completion comes, and so do they. */
class OwnThreadTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final class End implements ConnectionEvents {
        final DeviceContext device;
        final IwarpConnections iwarp;
        final CompletionChannel channel;
        final CompletionQueue cq;
        final QueuePair qp;
        final MemoryRegion region;
        final CountDownLatch established = new CountDownLatch(1);
        final CompletableFuture<ConnectionEnd> end = new CompletableFuture<>();
        IwarpConnection connection;

        End(String address) {
            device = DeviceContext.open("iwarp:" + address);
            iwarp = device.family(IwarpConnections.class).orElseThrow();
            ProtectionDomain pd = device.allocPd();
            channel = device.createCompletionChannel();
            cq = device.createCq(16, channel);
            qp = pd.createQp(QpInitAttributes.rc(cq));
            region = pd.register(Arena.ofAuto().allocate(4096), TcpEnd.ACCESS);
            qp.modify(
                    new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(TcpEnd.ACCESS));
        }

        WorkCompletion await() throws InterruptedException {
            WorkCompletion completion = new WorkCompletion();
            cq.requestNotify(false);
            while (!cq.poll(completion)) {
                assertNotNull(channel.getEvent(PATIENCE), "no completion");
                cq.ackEvents(1);
                cq.requestNotify(false);
            }
            return completion;
        }

        @Override
        public void requested(IwarpConnection asked) {
            asked.accept(qp.qpNum(), ConnectParameters.of(new byte[0], 1, 1));
        }

        @Override
        public void established(IwarpConnection done) {
            connection = done;
            established.countDown();
        }

        @Override
        public void rejected(IwarpConnection no) {}

        @Override
        public void failed(IwarpConnection no, ConnectionEnd why) {
            end.complete(why);
        }

        @Override
        public void ended(IwarpConnection over, ConnectionEnd why) {
            end.complete(why);
        }
    }

    @Test
    void wakeForEachOther() throws Exception {
        End here = new End("127.0.0.1");
        End there = new End("127.0.0.2");
        try (here.device;
                there.device) {
            IwarpListener[] listener = new IwarpListener[1];
            InetSocketAddress at =
                    new InetSocketAddress(there.device.queryGid(0).toAddress(), 0);
            there.device.control(() -> listener[0] = there.iwarp.listen(at, 4, there));
            here.device.control(() -> here.iwarp.connect(
                    null, listener[0].local(), here.qp.qpNum(), ConnectParameters.of(new byte[0], 1, 1), here));
            assertTrue(here.established.await(10, TimeUnit.SECONDS));
            assertTrue(there.established.await(10, TimeUnit.SECONDS));
            for (int round = 0; round < 20; round++) {
                there.qp.postReceive(new ReceiveWorkRequest().reset(round).sge(there.region, 0, 64));
                TimeUnit.MILLISECONDS.sleep(round % 2); // both devices asleep, or not
                here.qp.postSend(
                        new SendWorkRequest().reset(WrOpcode.SEND).signaled().sge(here.region, 0, 64));
                assertEquals(WcStatus.SUCCESS, here.await().status());
                assertEquals(WcStatus.SUCCESS, there.await().status());
            }
            here.device.control(here.connection::disconnect);
            assertEquals(
                    ConnectionEnd.Reason.DISCONNECTED,
                    here.end.get(10, TimeUnit.SECONDS).reason());
            assertEquals(
                    ConnectionEnd.Reason.DISCONNECTED,
                    there.end.get(10, TimeUnit.SECONDS).reason());
        }
    }
}
