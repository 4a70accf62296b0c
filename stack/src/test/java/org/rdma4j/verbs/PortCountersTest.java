package org.rdma4j.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.rdma4j.memory.AccessFlags;

/** Counters under Linux' names: each story leaves exactly the traces that it should. */
class PortCountersTest {

    private final Pair pair = new Pair();
    private final ProtectionDomain pd = pair.left.allocPd();
    private final QueuePair from = pd.createQp(QpInitAttributes.rc(pair.left.createCq(8)));
    private final QueuePair to = pair.right.allocPd().createQp(QpInitAttributes.rc(pair.right.createCq(8)));

    PortCountersTest() {
        Connecting.both(from, to);
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private static void counted(Map<String, Long> counters, String name, long value) {
        assertEquals(value, counters.get(name), name);
    }

    @Test
    void packetsAndWords() {
        MemoryRegion region = pd.register(Arena.ofAuto().allocate(64), AccessFlags.LOCAL_WRITE);
        to.postReceive(new ReceiveWorkRequest().reset(1));
        from.postSend(new SendWorkRequest().reset(WrOpcode.SEND).signaled());
        pair.settle();
        Map<String, Long> left = pair.left.counters().port();
        counted(left, "port_xmit_packets", 1);
        counted(left, "port_xmit_data", 4); // BTH and ICRC
        counted(left, "port_rcv_packets", 1);
        counted(left, "port_rcv_data", 5); // AETH too
        counted(left, "port_rcv_errors", 0);
        counted(pair.right.counters().rxe(), "sent_pkts", 1);
        counted(pair.right.counters().rxe(), "rcvd_pkts", 1);
        region.close();
    }

    @Test
    void receiverThatIsNotReady() {
        from.postSend(new SendWorkRequest().reset(WrOpcode.SEND));
        pair.settle();
        counted(pair.right.counters().mlx5(), "out_of_buffer", 1);
        counted(pair.right.counters().rxe(), "send_rnr_err", 1);
        counted(pair.left.counters().mlx5(), "rnr_nak_retry_err", 1);
        counted(pair.left.counters().rxe(), "rcvd_rnr_err", 1);
    }

    @Test
    void requestThatIsRefused() {
        MemoryRegion region = pd.register(Arena.ofAuto().allocate(8), 0);
        from.postSend(new SendWorkRequest()
                .reset(WrOpcode.RDMA_WRITE)
                .sge(region, 0, 8)
                .remote(1, 2));
        from.postSend(new SendWorkRequest().reset(WrOpcode.SEND));
        pair.settle();
        counted(pair.right.counters().mlx5(), "resp_remote_access_errors", 1);
        Map<String, Long> left = pair.left.counters().mlx5();
        counted(left, "req_remote_access_errors", 1);
        counted(left, "req_cqe_flush_error", 1);
        counted(left, "req_cqe_error", 2);
        counted(left, "packet_seq_err", 0);
    }

    @Test
    void messageThatIsTooLong() {
        MemoryRegion region = pd.register(Arena.ofAuto().allocate(8), 0);
        to.postReceive(new ReceiveWorkRequest().reset(1));
        to.postReceive(new ReceiveWorkRequest().reset(2));
        from.postSend(new SendWorkRequest().reset(WrOpcode.SEND).sge(region, 0, 8));
        pair.settle();
        Map<String, Long> right = pair.right.counters().mlx5();
        counted(right, "resp_local_length_error", 1);
        counted(right, "resp_cqe_flush_error", 1);
        counted(right, "resp_cqe_error", 2);
        counted(pair.left.counters().mlx5(), "req_remote_invalid_request", 1);
    }

    @Test
    void peerThatIsGone() {
        to.close();
        from.postSend(new SendWorkRequest().reset(WrOpcode.SEND));
        for (int timeout = 0; timeout < 10; timeout++) {
            pair.passes(Duration.ofSeconds(1));
        }
        counted(pair.left.counters().mlx5(), "local_ack_timeout_err", 8);
        counted(pair.left.counters().rxe(), "completer_retry_err", 7);
        counted(pair.left.counters().rxe(), "retry_exceeded_err", 1);
    }
}
