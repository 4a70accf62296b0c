package org.rdma4j.iwarp.rdmap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Random;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WcOpcode;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;

/**
 * Random operations of one node on the other, and a model of both memories that does each of them at once. A source that
 * never changes, a target that the peer's Writes go to, a sink of own Reads, counters of the peer's atomics, and receive
 * slots.
 */
final class Traffic {

    private static final int SOURCE = 24 << 10;
    private static final int TARGET = SOURCE;
    private static final int SINK = 2 * SOURCE;
    private static final int COUNTERS = 3 * SOURCE;
    private static final int COUNTER_COUNT = 8;
    private static final int RESULTS = COUNTERS + 8 * COUNTER_COUNT;
    private static final int SLOTS = 4 * SOURCE;
    private static final int SLOT = 8 << 10;
    private static final int SLOT_COUNT = 8;
    private static final int DEPTH = 16;

    /** What a receive must become. */
    private record Expected(WcOpcode opcode, ByteBuffer content, int length, int immediate) {}

    private record Posted(long id, WcOpcode opcode, boolean signaled) {}

    final Node node;
    private final Random random;
    private final boolean extended;
    private final MemoryRegion region;
    private final byte[] model;
    private Traffic peer;
    private int slots; // receives posted and not promised to a message
    private final ArrayDeque<Expected> expected = new ArrayDeque<>();
    private final ArrayDeque<Integer> posted = new ArrayDeque<>();
    private final ArrayDeque<Posted> requests = new ArrayDeque<>();
    private long nextId = 1;
    private int outstanding;

    Traffic(Node node, Random random, boolean extended) {
        this.node = node;
        this.random = random;
        this.extended = extended;
        this.region = node.register(SLOTS + SLOT * SLOT_COUNT);
        this.model = new byte[(int) region.length()];
        byte[] source = new byte[SOURCE];
        random.nextBytes(source);
        System.arraycopy(source, 0, model, 0, SOURCE);
        MemorySegment.copy(source, 0, region.memory(), ValueLayout.JAVA_BYTE, 0, SOURCE);
    }

    void meet(Traffic other) {
        peer = other;
        for (int slot = 0; slot < SLOT_COUNT; slot++) {
            postReceive(slot);
        }
    }

    private void postReceive(int slot) {
        int at = SLOTS + slot * SLOT;
        int first = random.nextInt(SLOT);
        node.qp.postReceive(
                new ReceiveWorkRequest().reset(slot).sge(region, at, first).sge(region, at + first, SLOT - first));
        posted.add(slot);
        slots++;
    }

    /** Posts something, where there is room for it. */
    void post() {
        if (outstanding >= DEPTH) {
            return;
        }
        switch (random.nextInt(extended ? 6 : 4)) {
            case 0 -> write(false);
            case 1 -> read();
            case 2, 3 -> send();
            case 4 -> write(true);
            default -> atomic();
        }
    }

    private SendWorkRequest begin(WrOpcode opcode, WcOpcode completes) {
        boolean signaled = random.nextInt(3) > 0 || outstanding == DEPTH - 1;
        SendWorkRequest wr = new SendWorkRequest().reset(opcode).wrId(nextId);
        if (signaled) {
            wr.signaled();
        }
        if (random.nextInt(5) == 0) {
            wr.fence();
        }
        requests.add(new Posted(nextId++, completes, signaled));
        outstanding++;
        return wr;
    }

    private int length(int most) {
        return switch (random.nextInt(5)) {
            case 0 -> 0;
            case 1 -> 1 + random.nextInt(8);
            case 2 -> Math.min(most, 1400 + random.nextInt(100));
            default -> random.nextInt(most + 1);
        };
    }

    /** Up to four pieces of the source. @return their bytes in a row */
    private byte[] gather(SendWorkRequest wr, int most) {
        int length = length(most);
        byte[] content = new byte[length];
        int done = 0;
        for (int piece = 0; piece < 4 && done < length; piece++) {
            int part = piece == 3 ? length - done : Math.min(length - done, 1 + random.nextInt(length));
            int from = random.nextInt(SOURCE - part + 1);
            wr.sge(region, from, part);
            System.arraycopy(model, from, content, done, part);
            done += part;
        }
        return content;
    }

    private void write(boolean immediate) {
        if (immediate && peer.slots == 0) {
            return;
        }
        SendWorkRequest wr = begin(immediate ? WrOpcode.RDMA_WRITE_WITH_IMM : WrOpcode.RDMA_WRITE, WcOpcode.RDMA_WRITE);
        byte[] content = gather(wr, SOURCE / 2);
        int at = TARGET + random.nextInt(SOURCE - content.length + 1);
        wr.remote(peer.region.address() + at, peer.region.rKey());
        if (immediate) {
            int data = random.nextInt();
            wr.immediate(data);
            peer.slots--;
            peer.expected.add(new Expected(WcOpcode.RECV_RDMA_WITH_IMM, null, content.length, data));
        }
        node.qp.postSend(wr);
        System.arraycopy(content, 0, peer.model, at, content.length);
    }

    private void read() {
        SendWorkRequest wr = begin(WrOpcode.RDMA_READ, WcOpcode.RDMA_READ);
        int length = length(SOURCE / 2);
        int from = random.nextInt(SOURCE - length + 1);
        int to = SINK + random.nextInt(SOURCE - length + 1);
        if (length > 0) {
            wr.sge(region, to, length);
        }
        node.qp.postSend(wr.remote(peer.region.address() + from, peer.region.rKey()));
        System.arraycopy(peer.model, from, model, to, length);
    }

    private void send() {
        if (peer.slots == 0) {
            return;
        }
        SendWorkRequest wr = begin(WrOpcode.SEND, WcOpcode.SEND);
        byte[] content = gather(wr, SLOT);
        if (random.nextBoolean()) {
            wr.solicited();
        }
        peer.slots--;
        peer.expected.add(new Expected(WcOpcode.RECV, ByteBuffer.wrap(content), content.length, 0));
        node.qp.postSend(wr);
    }

    private void atomic() {
        int at = COUNTERS + 8 * random.nextInt(COUNTER_COUNT);
        int result = RESULTS + 8 * random.nextInt(COUNTER_COUNT);
        MemorySegment theirs = MemorySegment.ofArray(peer.model);
        long before = theirs.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
        long operand = random.nextLong();
        SendWorkRequest wr;
        if (random.nextBoolean()) {
            wr = begin(WrOpcode.ATOMIC_FETCH_AND_ADD, WcOpcode.FETCH_ADD).fetchAdd(operand);
            theirs.set(ValueLayout.JAVA_LONG_UNALIGNED, at, before + operand);
        } else {
            long compare = random.nextBoolean() ? before : random.nextLong();
            wr = begin(WrOpcode.ATOMIC_CMP_AND_SWP, WcOpcode.COMP_SWAP).compareSwap(compare, operand);
            if (compare == before) {
                theirs.set(ValueLayout.JAVA_LONG_UNALIGNED, at, operand);
            }
        }
        node.qp.postSend(wr.sge(region, result, Long.BYTES).remote(peer.region.address() + at, peer.region.rKey()));
        MemorySegment.ofArray(model).set(ValueLayout.JAVA_LONG_UNALIGNED, result, before);
    }

    /** Takes what has completed, and holds it against what was posted. */
    void reap() {
        for (WorkCompletion completion = node.poll(); completion != null; completion = node.poll()) {
            assertEquals(WcStatus.SUCCESS, completion.status());
            if (completion.opcode() == WcOpcode.RECV || completion.opcode() == WcOpcode.RECV_RDMA_WITH_IMM) {
                received(completion);
            } else {
                completed(completion);
            }
        }
    }

    private void completed(WorkCompletion completion) {
        Posted oldest = requests.poll();
        while (!oldest.signaled) {
            outstanding--;
            oldest = requests.poll();
        }
        assertEquals(oldest.id, completion.wrId());
        assertEquals(oldest.opcode, completion.opcode());
        outstanding--;
    }

    private void received(WorkCompletion completion) {
        Expected wanted = expected.poll();
        int slot = posted.poll();
        assertEquals(slot, completion.wrId());
        assertEquals(wanted.opcode, completion.opcode());
        assertEquals(wanted.length, completion.byteLength());
        if (wanted.content == null) {
            assertEquals(wanted.immediate, completion.immediate());
        } else {
            int at = SLOTS + slot * SLOT;
            byte[] here = region.memory().asSlice(at, wanted.length).toArray(ValueLayout.JAVA_BYTE);
            assertEquals(wanted.content, ByteBuffer.wrap(here));
            System.arraycopy(here, 0, model, at, here.length);
        }
        postReceive(slot);
    }

    /** True where nothing is on the way. Requests without a completion may have been the last ones. */
    boolean isIdle() {
        return expected.isEmpty() && requests.stream().noneMatch(Posted::signaled);
    }

    void assertMemory() {
        byte[] here = region.memory().toArray(ValueLayout.JAVA_BYTE);
        int difference = Arrays.mismatch(model, here);
        assertEquals(-1, difference, () -> "memory differs from the model's at " + difference);
        assertFalse(Arrays.equals(model, new byte[model.length]));
    }
}
