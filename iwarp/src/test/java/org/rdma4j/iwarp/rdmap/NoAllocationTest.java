package org.rdma4j.iwarp.rdmap;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;

/**
 * Posting, sending over TCP, placing, answering and polling allocate nothing on the heap once the code is compiled;
 * before that the interpreter makes objects that the compiler leaves out, so rounds are repeated until three in a row
 * allocate exactly 0 bytes.
 */
class NoAllocationTest {

    private static final int ROUND = 500;
    private static final int ROUNDS_AT_MOST = 400;
    private static final int ROUNDS_IN_A_ROW = 3;
    private static final int SIZE = 256 << 10;

    private TcpEnd here;
    private TcpEnd there;
    private final SendWorkRequest send = new SendWorkRequest();
    private final ReceiveWorkRequest receive = new ReceiveWorkRequest();
    private final WorkCompletion completion = new WorkCompletion();

    @ParameterizedTest
    @CsvSource({
        "RDMA_WRITE, 8, false",
        "RDMA_WRITE, 200000, false",
        "RDMA_WRITE, 200000, true",
        "RDMA_READ, 100000, true",
        "SEND, 64, true"
    })
    void allocatesNothing(WrOpcode opcode, int bytes, boolean crc) {
        try (TcpEnd one = new TcpEnd("127.0.0.1", SIZE, 1);
                TcpEnd other = new TcpEnd("127.0.0.2", SIZE, 1)) {
            here = one;
            there = other;
            here.connect(there, crc);
            int inARow = 0;
            long last = -1;
            for (int round = 0; round < ROUNDS_AT_MOST && inARow < ROUNDS_IN_A_ROW; round++) {
                last = Heap.allocatedBy(() -> round(opcode, bytes));
                inARow = last == 0 ? inARow + 1 : 0;
            }
            assertTrue(inARow == ROUNDS_IN_A_ROW, "still " + last + " bytes in " + ROUND + " operations");
        }
    }

    private void round(WrOpcode opcode, int bytes) {
        for (int operation = 0; operation < ROUND; operation++) {
            if (opcode == WrOpcode.SEND) {
                there.qp().postReceive(receive.reset(1).sge(there.region, 0, bytes));
            }
            here.qp()
                    .postSend(send.reset(opcode)
                            .signaled()
                            .sge(here.region, 0, bytes)
                            .remote(there.region.address(), there.region.rKey()));
            take(here);
            if (opcode == WrOpcode.SEND) {
                take(there);
            }
        }
    }

    private void take(TcpEnd end) {
        while (!end.cq.poll(completion)) {
            here.device.progress();
            there.device.progress();
        }
        assertTrue(completion.status() == WcStatus.SUCCESS);
    }
}
