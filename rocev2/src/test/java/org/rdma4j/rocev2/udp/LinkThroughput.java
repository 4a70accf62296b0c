package org.rdma4j.rocev2.udp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.link.PacketHandler;
import org.rdma4j.link.Route;
import org.rdma4j.link.Transmitter;
import org.rdma4j.memory.MemoryBlock;
import org.rdma4j.rocev2.syscall.CmsgHdr;
import org.rdma4j.rocev2.syscall.IoVec;
import org.rdma4j.rocev2.syscall.LibC;
import org.rdma4j.rocev2.syscall.MsgHdr;
import org.rdma4j.rocev2.syscall.SockaddrIn6;
import org.rdma4j.rocev2.syscall.SocketOption;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Gid;

/**
 * How fast the link is by itself, against a bare loop of the same system calls that touches no byte: run by hand, no
 * protocol above. Either one thread sends a train and receives it, timed by the processor time that it used, which holds
 * on a busy machine too; or two threads do, timed by the clock, and a counter that both see bounds what is under way.
 *
 * <p>Arguments: threads (1), payload bytes per packet (4096), rounds (5), seconds per measurement (1), window (1048576).
 */
final class LinkThroughput {

    private static final int SOURCE_SIZE = 64 << 20;

    private final boolean twoThreads;
    private final int payload;
    private final double seconds;
    private final long window;
    private final AtomicLong received = new AtomicLong();

    private LinkThroughput(boolean twoThreads, int payload, double seconds, long window) {
        this.twoThreads = twoThreads;
        this.payload = payload;
        this.seconds = seconds;
        this.window = window;
    }

    public static void main(String[] arguments) throws InterruptedException {
        boolean twoThreads = arguments.length > 0 && Integer.parseInt(arguments[0]) == 2;
        int payload = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 4096;
        int rounds = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 5;
        double seconds = arguments.length > 3 ? Double.parseDouble(arguments[3]) : 1;
        long window = arguments.length > 4 ? Long.parseLong(arguments[4]) : 1 << 20;
        LinkThroughput bench = new LinkThroughput(twoThreads, payload, seconds, window);
        double[] ratios = new double[rounds];
        bench.link(true); // warm-up
        for (int round = 0; round < rounds; round++) {
            double raw = bench.raw();
            double link = bench.link(true);
            double sink = bench.link(false);
            ratios[round] = link / raw;
            System.out.printf(
                    Locale.ROOT,
                    "raw %.2f GB/s   link %.2f GB/s   ratio %.2f   link without copy out %.2f GB/s%n",
                    raw / 1e9,
                    link / 1e9,
                    ratios[round],
                    sink / 1e9);
        }
        Arrays.sort(ratios);
        System.out.printf(Locale.ROOT, "median ratio %.2f%n", ratios[rounds / 2]);
    }

    /** Payload bytes per second through two links, copied to a target as a responder would. */
    private double link(boolean copies) throws InterruptedException {
        MemoryBlock source = Loopback.pattern(SOURCE_SIZE);
        MemoryBlock target = Loopback.pattern(SOURCE_SIZE);
        try (Link from = UdpFfmLink.open(Loopback.address(1), LinkOptions.DEFAULT);
                Link to = UdpFfmLink.open(Loopback.address(2), LinkOptions.DEFAULT)) {
            Route route = Loopback.route(from, to, 0);
            Transmitter tx = from.transmitter();
            int perTrain = Math.min(128, Train.MAX_BYTES / (payload + 16));
            long[] at = new long[2];
            PacketHandler handler = (segment, offset, length, info) -> {
                if (copies) {
                    at[1] = at[1] + payload > SOURCE_SIZE ? 0 : at[1];
                    target.copyFrom(at[1], segment, offset + Bth.LENGTH, length - Bth.LENGTH);
                    at[1] += payload;
                }
                return Rule.ACCEPTED;
            };
            double rate = run(
                    () -> {
                        for (int i = 0; i < perTrain; i++) {
                            at[0] = at[0] + payload > SOURCE_SIZE ? 0 : at[0];
                            long bth = tx.begin(route);
                            Bth.write(tx.headers(), bth, 7, false, 0, 0xFFFF, 17, false, i);
                            tx.gather(source, at[0], payload);
                            tx.end(Bth.LENGTH, 0);
                            at[0] += payload;
                        }
                        tx.flush(0);
                        return (long) perTrain * payload;
                    },
                    () -> (long) to.poll(handler, 0) * payload);
            if (to.counters().icrcErrors > 0) {
                throw new IllegalStateException(to.counters().icrcErrors + " wrong ICRCs");
            }
            return rate;
        }
    }

    /** The same calls on the same sockets, from one buffer to another. */
    private double raw() throws InterruptedException {
        LibC sendLibc = new LibC();
        LibC receiveLibc = new LibC();
        int segment = payload + 16;
        int perTrain = Math.min(128, Train.MAX_BYTES / segment);
        LocalAddress here = LocalAddress.of(Loopback.address(1));
        LocalAddress there = LocalAddress.of(Loopback.address(2));
        try (Arena arena = Arena.ofShared();
                FfmSocket from = FfmSocket.receiving(sendLibc, here, LinkOptions.ROCE_V2_PORT, 0);
                FfmSocket to = FfmSocket.receiving(receiveLibc, there, LinkOptions.ROCE_V2_PORT, 0)) {
            MemorySegment sent = message(arena, there.gid(), perTrain * segment);
            MemorySegment control = arena.allocate(CmsgHdr.SPACE, 8);
            CmsgHdr.set(control, 0, SocketOption.SOL_UDP, SocketOption.UDP_SEGMENT, Short.BYTES);
            control.set(ValueLayout.JAVA_SHORT, CmsgHdr.DATA, (short) segment);
            MsgHdr.setControl(sent, control.address(), CmsgHdr.SPACE);
            MemorySegment got = message(arena, there.gid(), 1 << 16);
            MemorySegment room = arena.allocate(256, 8);
            return run(() -> sendLibc.sendmsg(from.fd(), sent.address(), 0) < 0 ? 0 : (long) perTrain * payload, () -> {
                MsgHdr.setControl(got, room.address(), 256);
                int length = receiveLibc.recvmsg(to.fd(), got.address(), SocketOption.MSG_DONTWAIT);
                return length < 0 ? 0 : (long) length / segment * payload;
            });
        }
    }

    private static MemorySegment message(Arena arena, Gid peer, int size) {
        MemorySegment message = arena.allocate(MsgHdr.SIZE, 8);
        MemorySegment name = arena.allocate(SockaddrIn6.SIZE, 8);
        MsgHdr.setName(message, name.address(), FfmSocket.writeName(name, peer, LinkOptions.ROCE_V2_PORT, 0));
        MemorySegment iovec = arena.allocate(IoVec.SIZE, 8);
        IoVec.set(iovec, 0, arena.allocate(size, 64).address(), size);
        MsgHdr.setIov(message, iovec.address(), 1);
        return message;
    }

    /** Both suppliers return how many payload bytes they moved. */
    private double run(LongSupplier send, LongSupplier receive) throws InterruptedException {
        return twoThreads ? runInTwoThreads(send, receive) : runInOneThread(send, receive);
    }

    private double runInOneThread(LongSupplier send, LongSupplier receive) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long total = 0;
        long start = threads.getCurrentThreadCpuTime();
        while (threads.getCurrentThreadCpuTime() - start < seconds * 1e9) {
            for (int i = 0; i < 100; i++) {
                long sent = send.getAsLong();
                for (long got = 0; got < sent; ) {
                    got += receive.getAsLong();
                }
                total += sent;
            }
        }
        return total / ((threads.getCurrentThreadCpuTime() - start) / 1e9);
    }

    @SuppressWarnings("ThreadPriorityCheck") // a spinner must let go of a core that others need
    private double runInTwoThreads(LongSupplier send, LongSupplier receive) throws InterruptedException {
        received.set(0);
        AtomicBoolean stop = new AtomicBoolean();
        Thread receiver = Thread.ofPlatform().start(() -> {
            long total = 0;
            while (!stop.get()) {
                long moved = receive.getAsLong();
                if (moved > 0) {
                    total += moved;
                    received.setRelease(total);
                } else {
                    Thread.yield();
                }
            }
        });
        long total = 0;
        long start = System.nanoTime();
        long end = start + (long) (seconds * 1e9);
        while (System.nanoTime() < end) {
            if (total - received.getAcquire() < window) {
                total += send.getAsLong();
            } else {
                Thread.yield();
            }
        }
        double rate = received.getAcquire() / ((System.nanoTime() - start) / 1e9);
        stop.set(true);
        receiver.join();
        return rate;
    }
}
