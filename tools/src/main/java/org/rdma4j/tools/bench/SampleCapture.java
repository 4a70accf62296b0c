package org.rdma4j.tools.bench;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.rdma4j.link.FrameTap;
import org.rdma4j.link.tap.PcapngTap;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.DeviceOptions;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.Gid;

/**
 * Makes the capture that decode is measured on: two devices in this process, whose queue pairs in turn do a WRITE and a
 * READ of 8 KB and 32 small SENDs. The clock is that of a wire of 100 Gbit/s and every number is drawn from a seed, so
 * the same size gives the same bytes, whatever the machine does meanwhile.
 */
final class SampleCapture implements AutoCloseable {

    private static final int SEED = 1;

    private static final int QUEUE_PAIRS = 16;
    private static final int PATH_MTU = 4096;
    private static final int LARGE = 2 * PATH_MTU;
    private static final int SENDS = 32;
    private static final int SMALLEST = 16;
    private static final int LARGEST = 256;

    /** 2026-01-01 00:00 UTC, when the capture says that it began. */
    private static final long EPOCH = 1_767_225_600_000_000_000L;

    private static final int BITS_PER_NANO = 100;

    /** How long either end thinks. */
    private static final long THINKING = 200;

    /** Of Ethernet, not in the capture: preamble, FCS and the gap between frames. */
    private static final int AROUND_A_FRAME = 24;

    private final Random random = new Random(SEED);
    private final SendWorkRequest send = new SendWorkRequest();
    private final ReceiveWorkRequest receive = new ReceiveWorkRequest();
    private final WorkCompletion completion = new WorkCompletion();
    private final RdmaEnd requester;
    private final RdmaEnd responder;
    private long now;
    private long written;

    private SampleCapture(PcapngTap file) throws IOException {
        Random numbers = new Random(SEED);
        DeviceOptions options =
                DeviceOptions.defaults().withRandom(numbers::nextInt).withClock(() -> now);
        requester = new RdmaEnd("loop:sample-a", options, LARGE, QUEUE_PAIRS);
        responder = new RdmaEnd("loop:sample-b", options, LARGE, QUEUE_PAIRS);
        connect(requester, responder);
        connect(responder, requester);
        requester.device.tap(new Clocked(file.arrivalsAt(requester.device.name())));
        responder.device.tap(new Clocked(file.arrivalsAt(responder.device.name())));
    }

    /**
     * Writes a pcapng file.
     *
     * @param bytes of frames that are to be in it at least
     * @return how many frames there are
     */
    static long write(Path path, long bytes) throws IOException {
        try (PcapngTap file = new PcapngTap(Files.newOutputStream(path), EPOCH);
                SampleCapture capture = new SampleCapture(file)) {
            while (capture.written < bytes) {
                capture.round();
            }
            return file.frames();
        }
    }

    private static void connect(RdmaEnd end, RdmaEnd peer) {
        Gid gid = peer.device.queryGid(0);
        List<Integer> numbers = peer.queuePairs.stream().map(QueuePair::qpNum).toList();
        end.connect(gid, PATH_MTU, numbers);
    }

    /** Each queue pair's turn. */
    private void round() {
        for (int index = 0; index < QUEUE_PAIRS; index++) {
            QueuePair from = requester.queuePairs.get(index);
            QueuePair to = responder.queuePairs.get(index);
            post(from, WrOpcode.RDMA_WRITE, LARGE);
            post(from, WrOpcode.RDMA_READ, LARGE);
            for (int count = 0; count < SENDS; count++) {
                to.postReceive(receive.reset(0).sge(responder.region, 0, LARGEST));
                post(from, WrOpcode.SEND, random.nextInt(SMALLEST, LARGEST + 1));
            }
            settle(SENDS + 2);
        }
    }

    private void post(QueuePair from, WrOpcode opcode, int size) {
        send.reset(opcode).sge(requester.region, 0, size).signaled();
        if (opcode != WrOpcode.SEND) {
            send.remote(responder.region.address(), responder.region.rKey());
        }
        from.postSend(send);
    }

    /** Drives both ends until so many requests are completed, and nothing is on its way any more. */
    private void settle(int requests) {
        int left = requests;
        boolean worked = true;
        while (left > 0 || worked) {
            now += THINKING;
            worked = responder.device.progress();
            worked |= requester.device.progress();
            left -= completions(requester);
            completions(responder);
        }
    }

    private int completions(RdmaEnd end) {
        int count = 0;
        for (; end.cq.poll(completion); count++) {
            if (!completion.isSuccess()) {
                throw new IllegalStateException("the capture's traffic broke: " + completion);
            }
        }
        return count;
    }

    @Override
    public void close() {
        requester.close();
        responder.close();
    }

    /** Gives each frame the time at which the wire has carried it. */
    private final class Clocked implements FrameTap {

        private final FrameTap behind;

        Clocked(FrameTap behind) {
            this.behind = behind;
        }

        @Override
        public void sent(long when, MemorySegment frame, long offset, int length) {
            behind.sent(now, frame, offset, length);
        }

        @Override
        public void received(long when, MemorySegment frame, long offset, int length, Rule decision) {
            now += (length + AROUND_A_FRAME) * (long) Byte.SIZE / BITS_PER_NANO;
            written += length;
            behind.received(now, frame, offset, length, decision);
        }
    }
}
