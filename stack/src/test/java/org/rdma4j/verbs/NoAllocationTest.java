package org.rdma4j.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rdma4j.link.loop.LoopNetwork;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.testing.Allocation;
import org.rdma4j.wire.Gid;

/**
 * Posting, sending, receiving, answering and polling allocate nothing on the heap, once the code is compiled: until
 * then the interpreter makes objects (views of memory) that the compiler leaves out, so rounds are repeated until three
 * in a row allocate exactly 0 bytes. One that went on allocating, however little, would never get there.
 */
class NoAllocationTest {

    private static final int ROUND = 4_000;
    private static final int ROUNDS_AT_MOST = 2_000;
    private static final int ROUNDS_IN_A_ROW = 3;
    private static final int DEPTH = 32;
    private static final int SIZE = 64 << 10;
    private static final int Q_KEY = 0x2468;
    private static final int ACCESS =
            AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;

    /** One of the two ends. */
    private static final class End {
        final DeviceContext device;
        final CompletionQueue cq;
        final QueuePair qp;
        final MemoryRegion region;
        final WorkCompletion completion = new WorkCompletion();

        final QpType type;
        AddressHandle way; // of datagrams

        End(LoopNetwork network, int host, QpType type) {
            this.type = type;
            Random random = new Random(host);
            device = DeviceContext.on(
                    network.join(Gid.ofIpv4(0x0A00_0000 | host)),
                    DeviceOptions.defaults().withProgress(Progress.CALLER).withRandom(random::nextInt));
            ProtectionDomain pd = device.allocPd();
            cq = device.createCq(4 * DEPTH);
            QpInitAttributes attributes = switch (type) {
                case UC -> QpInitAttributes.uc(cq);
                case UD -> QpInitAttributes.ud(cq);
                default -> QpInitAttributes.rc(cq);
            };
            qp = pd.createQp(attributes.withDepths(DEPTH, 2 * DEPTH).withInline(64));
            region = pd.register(Arena.ofAuto().allocate(SIZE, 64), ACCESS);
        }

        void connect(End peer) {
            AhAttributes path = AhAttributes.to(peer.device.queryGid(0));
            QpAttributes identity =
                    new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1);
            QpAttributes receiving = new QpAttributes().state(QpState.RTR);
            QpAttributes sending = new QpAttributes().state(QpState.RTS).sqPsn(7);
            if (type == QpType.UD) {
                identity.qkey(Q_KEY);
                way = qp.pd().createAh(path);
            } else {
                identity.accessFlags(ACCESS);
                receiving.av(path).pathMtu(4096).destQpNum(peer.qp.qpNum()).rqPsn(7);
            }
            if (type == QpType.RC) {
                receiving.maxDestRdAtomic(16).minRnrTimer(1);
                sending.timeout(18).retryCount(7).rnrRetry(7).maxRdAtomic(16);
            }
            qp.modify(identity);
            qp.modify(receiving);
            qp.modify(sending);
        }
    }

    private final SendWorkRequest send = new SendWorkRequest();
    private final ReceiveWorkRequest receive = new ReceiveWorkRequest();
    private End left;
    private End right;
    private WrOpcode opcode;
    private int length;
    private boolean inline;
    private int receives;

    private void connect(QpType type) {
        LoopNetwork network = new LoopNetwork();
        left = new End(network, 1, type);
        right = new End(network, 2, type);
        left.connect(right);
        right.connect(left);
    }

    @AfterEach
    void close() {
        left.device.close();
        right.device.close();
    }

    @ParameterizedTest(name = "{0} {1}, {2} bytes, inline {3}")
    @CsvSource({
        "RC, SEND, 0, false",
        "RC, SEND, 64, false",
        "RC, SEND, 64, true",
        "RC, SEND, 16384, false",
        "RC, SEND_WITH_IMM, 64, false",
        "RC, RDMA_WRITE, 64, false",
        "RC, RDMA_WRITE, 16384, false",
        "RC, RDMA_WRITE_WITH_IMM, 64, false",
        "RC, RDMA_READ, 64, false",
        "RC, RDMA_READ, 16384, false",
        "RC, ATOMIC_CMP_AND_SWP, 8, false",
        "RC, ATOMIC_FETCH_AND_ADD, 8, false",
        "UC, SEND, 64, true",
        "UC, SEND, 16384, false",
        "UC, RDMA_WRITE_WITH_IMM, 16384, false",
        "UD, SEND, 64, false",
        "UD, SEND, 64, true",
        "UD, SEND_WITH_IMM, 4096, false"
    })
    void steadyStateAllocatesNothing(QpType type, WrOpcode operation, int bytes, boolean isInline) {
        connect(type);
        opcode = operation;
        length = bytes;
        inline = isInline;
        Runnable round = this::round;
        long least = Long.MAX_VALUE;
        int inARow = 0;
        for (int rounds = 0; rounds < ROUNDS_AT_MOST && inARow < ROUNDS_IN_A_ROW; rounds++) {
            long allocated = Allocation.of(round);
            least = Math.min(least, allocated);
            inARow = allocated == 0 ? inARow + 1 : 0;
        }
        assertEquals(
                ROUNDS_IN_A_ROW, inARow, "the best round allocated " + least + " bytes for " + ROUND + " operations");
    }

    private boolean takesReceive() {
        return switch (opcode) {
            case SEND, SEND_WITH_IMM, SEND_WITH_INV, RDMA_WRITE_WITH_IMM -> true;
            case RDMA_WRITE,
                    RDMA_READ,
                    ATOMIC_CMP_AND_SWP,
                    ATOMIC_FETCH_AND_ADD,
                    LOCAL_INV,
                    BIND_MW,
                    REG_MR,
                    FLUSH,
                    ATOMIC_WRITE -> false;
        };
    }

    private void round() {
        int posted = 0;
        int complete = 0;
        while (complete < ROUND) {
            while (posted < ROUND && posted - complete < DEPTH) {
                if (takesReceive() && receives < 2 * DEPTH) {
                    right.qp.postReceive(receive.reset(receives++).sge(right.region, 0, SIZE));
                }
                post(posted++);
            }
            left.device.progress();
            right.device.progress();
            complete += poll(left);
            receives -= poll(right);
        }
    }

    private void post(int id) {
        send.reset(opcode).wrId(id).signaled();
        if (left.way != null) {
            send.ud(left.way, right.qp.qpNum(), Q_KEY);
        } else {
            send.remote(right.region.address(), right.region.rKey());
        }
        if (inline) {
            send.inlineData(left.region.memory(), 0, length);
        } else {
            send.sge(left.region, 0, length);
        }
        left.qp.postSend(send);
    }

    private static int poll(End end) {
        int taken = 0;
        while (end.cq.poll(end.completion)) {
            assertTrue(end.completion.isSuccess());
            taken++;
        }
        return taken;
    }
}
