package org.rdma4j.rocev2.packet;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.rocev2.ethernet.NetworkCard;
import org.rdma4j.rocev2.ethernet.PortConfig;
import org.rdma4j.rocev2.syscall.LibC;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.CompletionQueue;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;

/**
 * How fast WRITEs of 1 MB go over a cable of the kernel's (veth, MTU 4500), from Ethernet up and over UDP sockets, beside
 * what the same packet sockets carry without any protocol. Not a test: it needs two idle cores, and root.
 *
 * <pre>
 *   mvn -B -q test-compile -pl rocev2 -am
 *   java --enable-native-access=ALL-UNNAMED -cp CLASSPATH org.rdma4j.rocev2.packet.RawThroughput
 * </pre>
 */
final class RawThroughput {

    private static final int MESSAGE = 1 << 20;
    private static final int DEPTH = 8;
    /** Bytes on their way at most, or the receiver's ring would overflow. */
    private static final int WINDOW = 1 << 20;

    private static final int ROUNDS = 5;
    private static final long ROUND_NANOS = 1_500_000_000L;
    private static final int ACCESS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;

    private RawThroughput() {}

    public static void main(String[] arguments) throws Throwable {
        double[][] rates = new double[4][ROUNDS];
        for (int round = -1; round < ROUNDS; round++) { // the first is for the compiler
            int at = Math.max(round, 0);
            Namespace.withVethPair(4500, () -> {
                rates[0][at] = frames();
                rates[1][at] = writes("roce1:va", "roce1:vb");
                rates[2][at] = writes("roce2eth:va?address=10.9.0.1", "roce2eth:vb?address=10.9.0.2");
            });
            rates[3][at] = writes("roce2:127.0.0.1", "roce2:127.0.0.2");
        }
        String[] names = {"frames alone", "roce1", "roce2eth", "roce2 (UDP, loopback)"};
        double raw = median(rates[0]);
        for (int i = 0; i < names.length; i++) {
            System.out.printf("%-24s %6.3f GB/s  %5.3f%n", names[i], median(rates[i]), median(rates[i]) / raw);
        }
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** Frames of a full packet, copied in once and looked at not at all. */
    @SuppressWarnings("ThreadPriorityCheck") // the hint is meant: where cores are short, the other end goes first
    private static double frames() throws InterruptedException {
        LibC libc = new LibC();
        NetworkCard[] cards = new NetworkCard[2];
        for (NetworkCard card : new LinuxCards(libc).all()) {
            cards[card.name().equals("va") ? 0 : 1] = card;
        }
        int length = 14 + 40 + 12 + 4096 + 4;
        MemorySegment payload = Arena.ofAuto().allocate(length);
        payload.set(ValueLayout.JAVA_BYTE, 12, (byte) 0x89);
        payload.set(ValueLayout.JAVA_BYTE, 13, (byte) 0x15);
        AtomicBoolean over = new AtomicBoolean();
        AtomicLong received = new AtomicLong();
        try (PacketSocket from = PacketSocket.open(libc, cards[0], PortConfig.v1(cards[0].mac(), 4500, -1, 0), 0);
                PacketSocket to =
                        PacketSocket.open(new LibC(), cards[1], PortConfig.v1(cards[1].mac(), 4500, -1, 0), 0)) {
            Thread receiver = Thread.ofPlatform().start(() -> {
                while (!over.get()) {
                    long before = received.getPlain();
                    to.poll((memory, view, at, bytes) -> received.setRelease(received.getPlain() + 4096));
                    if (received.getPlain() == before) {
                        Thread.yield();
                    }
                }
            });
            long start = System.nanoTime();
            long sent = 0;
            while (System.nanoTime() - start < ROUND_NANOS) {
                if (sent - received.getAcquire() > WINDOW) {
                    Thread.yield();
                    continue;
                }
                for (int i = 0; i < 16; i++) {
                    long at = from.reserve(length);
                    if (at >= 0) {
                        sent += 4096;
                        MemorySegment.copy(payload, 0, from.memory(), at, length);
                        from.commit(length);
                    }
                }
                from.flush();
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            over.set(true);
            receiver.join();
            return received.get() / seconds / 1e9;
        }
    }

    private static double writes(String left, String right) {
        try (DeviceContext here = DeviceContext.open(left);
                DeviceContext there = DeviceContext.open(right)) {
            ProtectionDomain pdHere = here.allocPd();
            ProtectionDomain pdThere = there.allocPd();
            MemoryRegion source = pdHere.register(Arena.ofAuto().allocate(MESSAGE, 4096), ACCESS);
            MemoryRegion target = pdThere.register(Arena.ofAuto().allocate(MESSAGE, 4096), ACCESS);
            CompletionQueue cq = here.createCq(64);
            QueuePair mine = pdHere.createQp(QpInitAttributes.rc(cq));
            QueuePair theirs = pdThere.createQp(QpInitAttributes.rc(there.createCq(16)));
            connect(mine, there, theirs);
            connect(theirs, here, mine);
            SendWorkRequest write = new SendWorkRequest()
                    .reset(WrOpcode.RDMA_WRITE)
                    .sge(source, 0, MESSAGE)
                    .remote(target.address(), target.rKey())
                    .signaled();
            WorkCompletion completion = new WorkCompletion();
            for (int i = 0; i < DEPTH; i++) {
                mine.postSend(write);
            }
            long start = System.nanoTime();
            long done = 0;
            while (System.nanoTime() - start < ROUND_NANOS) {
                if (cq.poll(completion)) {
                    if (!completion.isSuccess()) {
                        throw new AssertionError(completion.toString());
                    }
                    done++;
                    mine.postSend(write);
                } else {
                    LockSupport.parkNanos(20_000); // two cores are for the devices
                }
            }
            return done * (double) MESSAGE / (System.nanoTime() - start);
        }
    }

    private static void connect(QueuePair qp, DeviceContext peer, QueuePair peerQp) {
        qp.modify(new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(ACCESS));
        qp.modify(new QpAttributes()
                .state(QpState.RTR)
                .av(AhAttributes.to(peer.queryGid(0)))
                .pathMtu(4096)
                .destQpNum(peerQp.qpNum())
                .rqPsn(0)
                .maxDestRdAtomic(1)
                .minRnrTimer(12));
        qp.modify(new QpAttributes()
                .state(QpState.RTS)
                .sqPsn(0)
                .timeout(14)
                .retryCount(7)
                .rnrRetry(7)
                .maxRdAtomic(1));
    }
}
