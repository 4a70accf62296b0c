package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.verbs.AddressHandle;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.CompletionQueue;
import org.rdma4j.verbs.FlushLevel;
import org.rdma4j.verbs.FlushType;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QpType;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.VerbsException;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.Psn;
import org.rdma4j.wire.Reth;
import org.rdma4j.wire.Syndrome;

/** A queue pair under attack, and what an attentive attacker knows of it from the packets that it sends. */
final class FuzzVictim {

    static final int PATH_MTU = 256;
    static final int Q_KEY = 0x0ABC_DEF0;

    /** Of the victims, one after the other. */
    private static final QpType[] TYPES = {QpType.RC, QpType.RC, QpType.UC, QpType.RC, QpType.UD};

    private static final WrOpcode[] UC_OPCODES = {
        WrOpcode.SEND, WrOpcode.SEND_WITH_IMM, WrOpcode.RDMA_WRITE, WrOpcode.RDMA_WRITE_WITH_IMM, WrOpcode.LOCAL_INV
    };
    private static final WrOpcode[] UD_OPCODES = {WrOpcode.SEND, WrOpcode.SEND_WITH_IMM};

    private static final int[] FEW_RIGHTS = {0, AccessFlags.REMOTE_READ, AccessFlags.REMOTE_WRITE};
    /** All but those that are about objects which this world does not have. */
    private static final WrOpcode[] OPCODES = Arrays.stream(WrOpcode.values())
            .filter(opcode -> opcode != WrOpcode.BIND_MW && opcode != WrOpcode.REG_MR)
            .toArray(WrOpcode[]::new);

    private static final int RIGHTS = Setup.ALL_ACCESS | AccessFlags.FLUSH_GLOBAL;
    private static final int DEPTH = 16;

    private final FuzzWorld world;
    private final SplittableRandom random;
    private final int peerQpn;
    private final QpType type;
    private AddressHandle way; // of datagrams
    private final SendWorkRequest send = new SendWorkRequest();
    private final ReceiveWorkRequest receive = new ReceiveWorkRequest();
    private final WorkCompletion completion = new WorkCompletion();
    private CompletionQueue cq;
    private QueuePair qp;

    /** The PSN that the device expects next. */
    int expectedPsn;

    /** The newest request of the device. */
    int requestOpcode = Opcode.RC_SEND_ONLY;

    int requestPsn;
    long requestLength;

    /** The attacker's own place in the response to it, and in the message that it sends itself. */
    int responseIndex;

    boolean isSending;
    boolean isWriting;
    long writeLeft;

    FuzzVictim(FuzzWorld world, int index) {
        this.world = world;
        this.random = world.random;
        this.peerQpn = 0x100 + index;
        this.type = TYPES[index % TYPES.length];
        create();
    }

    int peerQpn() {
        return peerQpn;
    }

    QpType type() {
        return type;
    }

    boolean isUp() {
        return qp.state() == QpState.RTS;
    }

    int qpn() {
        return qp.qpNum();
    }

    private void create() {
        cq = world.device.createCq(random.nextInt(4) == 0 ? 4 : 256); // now and then one that overflows
        qp = world.pd.createQp(QpInitAttributes.of(type, cq)
                .withDepths(DEPTH, DEPTH)
                .withSge(4, 4)
                .withSignalAll(random.nextBoolean())
                .withExtendedOps(type == QpType.RC));
        if (type == QpType.UD) {
            qp.attachMulticast(FuzzWorld.GROUP, 0);
            way = world.pd.createAh(AhAttributes.to(FuzzWorld.ATTACKER));
        }
    }

    /** The application takes its completions, if it feels like it. */
    void polls() {
        if (random.nextInt(4) > 0) {
            while (cq.poll(completion)) {
                // Whatever the attacker brought about.
            }
        }
    }

    /** The attacker assumes that a request of its own was taken. */
    void follows(int opcode, int psn, int payload, long readLength) {
        if (psn != expectedPsn) {
            return;
        }
        boolean open = !Opcode.isLastOrOnly(opcode);
        isSending = open && Opcode.isSend(opcode);
        isWriting = open && Opcode.isWrite(opcode);
        writeLeft -= payload;
        expectedPsn = Psn.add(psn, (int) Math.max(1, (readLength + PATH_MTU - 1) / PATH_MTU));
    }

    /** What the attacker learns from a packet that the device sends it. */
    void sees(Packet packet) {
        int opcode = packet.bth().opcode();
        int psn = packet.bth().psn();
        if (opcode == Opcode.RC_ACKNOWLEDGE) {
            int syndrome = packet.extension(Aeth.class).orElseThrow().syndrome();
            expectedPsn = Syndrome.isAck(syndrome) ? Psn.next(psn) : psn;
            isSending &= Syndrome.isAck(syndrome);
            isWriting &= Syndrome.isAck(syndrome);
        } else if (Opcode.isRequest(opcode)) {
            responseIndex = 0;
            requestOpcode = opcode;
            requestPsn = psn;
            requestLength = packet.extension(Reth.class).map(Reth::dmaLength).orElse(0L);
        } else if (Psn.difference(psn, expectedPsn) >= 0) {
            expectedPsn = Psn.next(psn);
        }
    }

    /** The application does something of its own. */
    void changes() {
        switch (qp.state()) {
            case RESET -> {
                if (random.nextInt(4) == 0) {
                    if (type == QpType.UD) {
                        qp.detachMulticast(FuzzWorld.GROUP, 0);
                        way.close();
                    }
                    qp.close();
                    create();
                }
                toInit();
            }
            case INIT -> {
                postReceives();
                toRtr();
            }
            case RTR -> {
                postReceives();
                toRts();
            }
            case RTS -> {
                switch (random.nextInt(64)) {
                    case 0 -> to(QpState.SQD);
                    case 1 -> to(QpState.ERR);
                    case 2 -> to(QpState.RESET);
                    default -> {
                        postReceives();
                        postSends();
                    }
                }
            }
            case SQD -> {
                postSends();
                to(random.nextInt(8) == 0 ? QpState.ERR : QpState.RTS);
            }
            case ERR -> {
                postReceives();
                postSends();
                if (random.nextInt(4) > 0) {
                    to(QpState.RESET);
                }
            }
            case SQE -> {
                assertNotEquals(QpType.RC, type);
                postSends();
                to(random.nextInt(8) == 0 ? QpState.ERR : QpState.RTS);
            }
        }
    }

    private void to(QpState state) {
        QpAttributes wanted = new QpAttributes().state(state);
        qp.modify(state == QpState.SQD ? wanted.sqdAsyncNotify(random.nextBoolean()) : wanted);
    }

    private void toInit() {
        QpAttributes identity =
                new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1);
        if (type == QpType.UD) {
            qp.modify(identity.qkey(Q_KEY));
        } else {
            int few = FEW_RIGHTS[random.nextInt(FEW_RIGHTS.length)];
            qp.modify(identity.accessFlags(random.nextInt(8) == 0 ? few : RIGHTS));
        }
    }

    private void toRtr() {
        isSending = false;
        isWriting = false;
        expectedPsn = random.nextBoolean() ? 0xFFFFFF - random.nextInt(8) : random.nextInt(1 << 24);
        QpAttributes ready = new QpAttributes().state(QpState.RTR);
        if (type != QpType.UD) {
            ready.av(AhAttributes.to(FuzzWorld.ATTACKER))
                    .pathMtu(PATH_MTU)
                    .destQpNum(peerQpn)
                    .rqPsn(expectedPsn);
        }
        if (type == QpType.RC) {
            ready.maxDestRdAtomic(random.nextInt(9)).minRnrTimer(1 + random.nextInt(8));
        }
        qp.modify(ready);
    }

    private void toRts() {
        requestPsn = random.nextBoolean() ? 0xFFFFFF - random.nextInt(8) : random.nextInt(1 << 24);
        QpAttributes ready = new QpAttributes().state(QpState.RTS).sqPsn(requestPsn);
        if (type == QpType.RC) {
            ready.timeout(random.nextInt(12))
                    .retryCount(random.nextInt(8))
                    .rnrRetry(random.nextInt(8))
                    .maxRdAtomic(random.nextInt(5));
        }
        qp.modify(ready);
    }

    private void postReceives() {
        for (int i = random.nextInt(6); i > 0; i--) {
            receive.reset(i);
            int pieces = 1 + random.nextInt(3);
            for (int piece = 0; piece < pieces; piece++) {
                int length = random.nextInt(1200);
                receive.sge(world.local, random.nextInt(FuzzWorld.PART - length), length);
            }
            if (random.nextInt(64) == 0) {
                receive.sge(world.readOnly, 0, 64); // not for writing
            }
            post(() -> qp.postReceive(receive));
        }
    }

    private void postSends() {
        for (int i = random.nextInt(4); i > 0; i--) {
            WrOpcode[] known = switch (type) {
                case UC -> UC_OPCODES;
                case UD -> UD_OPCODES;
                default -> OPCODES;
            };
            WrOpcode opcode = known[random.nextInt(known.length)];
            boolean atomic = opcode == WrOpcode.ATOMIC_CMP_AND_SWP || opcode == WrOpcode.ATOMIC_FETCH_AND_ADD;
            boolean answered = atomic || opcode == WrOpcode.RDMA_READ;
            int length = atomic ? Long.BYTES : random.nextInt(1000);
            int offset = random.nextInt(FuzzWorld.PART - length);
            send.reset(opcode).wrId(i).signaled();
            if (type == QpType.UD) {
                send.ud(way, peerQpn, random.nextInt());
            } else {
                send.remote(Peer.ADDRESS, Peer.R_KEY);
            }
            switch (opcode) {
                case LOCAL_INV -> send.invalidate(random.nextInt());
                case FLUSH -> send.flush(FlushType.GLOBAL, FlushLevel.RANGE, length);
                case ATOMIC_WRITE -> send.atomicWrite(random.nextLong());
                default -> {
                    MemoryRegion source = random.nextBoolean() ? world.open : world.readOnly; // the open one may go
                    send.sge(answered ? world.local : source, offset, length);
                }
            }
            post(() -> qp.postSend(send));
        }
    }

    private static void post(Runnable posting) {
        try {
            posting.run();
        } catch (VerbsException full) {
            if (full.errno() != VerbsException.Errno.ENOMEM) {
                throw full;
            }
        }
    }
}
