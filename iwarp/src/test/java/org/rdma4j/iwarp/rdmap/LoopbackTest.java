package org.rdma4j.iwarp.rdmap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.iwarp.ConnectParameters;
import org.rdma4j.iwarp.ConnectionEnd;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WrOpcode;

/** Two devices over TCP on loopback, by verbs alone. */
class LoopbackTest {

    private static final int BYTES = 1 << 20;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void movesBytesBothWaysAndEndsInOrder(boolean crc) {
        try (TcpEnd here = new TcpEnd("127.0.0.1", BYTES, 1);
                TcpEnd there = new TcpEnd("127.0.0.2", BYTES, 1)) {
            here.connect(there, crc);
            assertArrayEquals(new byte[] {1, 2}, there.connections.getFirst().privateData());
            assertArrayEquals(new byte[] {7}, here.connections.getFirst().privateData());
            byte[] content = new byte[BYTES];
            new Random(1).nextBytes(content);
            MemorySegment.copy(content, 0, here.region.memory(), ValueLayout.JAVA_BYTE, 0, BYTES);

            there.qp().postReceive(new ReceiveWorkRequest().reset(9).sge(there.region, 0, 4096));
            here.qp().postSend(operation(WrOpcode.RDMA_WRITE, here, there));
            here.qp()
                    .postSend(new SendWorkRequest()
                            .reset(WrOpcode.SEND)
                            .signaled()
                            .sge(here.region, 0, 100));
            here.await(there);
            here.await(there);
            assertEquals(100, there.await(here).byteLength());
            assertArrayEquals(content, there.region.memory().toArray(ValueLayout.JAVA_BYTE));

            here.region.memory().fill((byte) 0);
            here.qp().postSend(operation(WrOpcode.RDMA_READ, here, there));
            here.await(there);
            assertArrayEquals(content, here.region.memory().toArray(ValueLayout.JAVA_BYTE));

            here.device.control(here.connections.getFirst()::disconnect);
            here.pump(there, () -> here.ends.size() == 1 && there.ends.size() == 1);
            assertEquals(ConnectionEnd.Reason.DISCONNECTED, here.ends.getFirst().reason());
            assertEquals(
                    ConnectionEnd.Reason.DISCONNECTED, there.ends.getFirst().reason());
            assertEquals(QpState.ERR, here.qp().state());
            assertEquals(QpState.ERR, there.qp().state());
        }
    }

    private static SendWorkRequest operation(WrOpcode opcode, TcpEnd here, TcpEnd there) {
        return new SendWorkRequest()
                .reset(opcode)
                .signaled()
                .sge(here.region, 0, BYTES)
                .remote(there.region.address(), there.region.rKey());
    }

    @Test
    void saysThatNobodyListens() {
        try (TcpEnd here = new TcpEnd("127.0.0.1", 64, 1)) {
            InetSocketAddress nowhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
            here.device.control(() -> here.iwarp.connect(
                    null, nowhere, here.qp().qpNum(), ConnectParameters.of(new byte[0], 1, 1), here));
            here.pump(here, () -> !here.ends.isEmpty());
            assertEquals(ConnectionEnd.Reason.REFUSED, here.ends.getFirst().reason());
            assertEquals(QpState.INIT, here.qp().state());
        }
    }

    @Test
    void tellsAPeerWhoseProcessIsGone() {
        try (TcpEnd here = new TcpEnd("127.0.0.1", 64, 1)) {
            TcpEnd there = new TcpEnd("127.0.0.2", 64, 1);
            here.connect(there, false);
            there.close();
            here.pump(here, () -> !here.ends.isEmpty());
            assertEquals(QpState.ERR, here.qp().state());
            assertTrue(here.ends.getFirst().message().length() > 5);
        }
    }
}
