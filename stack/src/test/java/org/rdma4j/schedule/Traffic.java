package org.rdma4j.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.rdma4j.verbs.FlushLevel;
import org.rdma4j.verbs.FlushType;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.VerbsException;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;

/**
 * Requests of one end to the other, random ones, and the plain model of what they do: executed at once and in order on a
 * copy of the peer's memory. What the stack does through the network must come to the same.
 */
final class Traffic {

    private static final WrOpcode[] OPCODES = {
        WrOpcode.RDMA_WRITE,
        WrOpcode.RDMA_WRITE_WITH_IMM,
        WrOpcode.SEND,
        WrOpcode.SEND_WITH_IMM,
        WrOpcode.RDMA_READ,
        WrOpcode.ATOMIC_CMP_AND_SWP,
        WrOpcode.ATOMIC_FETCH_AND_ADD,
        WrOpcode.ATOMIC_WRITE,
        WrOpcode.FLUSH
    };

    private static final MemorySegment ZEROS = MemorySegment.ofArray(new byte[End.LONGEST]);

    /** A message that the peer must receive. */
    private record Message(MemorySegment payload, long length, int immediate, boolean hasImmediate) {}

    /** Bytes that a READ or atomic must bring. */
    private record Answer(long offset, MemorySegment bytes) {}

    private final End from;
    private final End to;
    private final Random random;
    private final SendWorkRequest wr = new SendWorkRequest();
    private final ReceiveWorkRequest receiveWr = new ReceiveWorkRequest();
    private final WorkCompletion completion = new WorkCompletion();

    private final byte[] model = new byte[End.TARGET_SIZE];
    private final ArrayDeque<Message> messages = new ArrayDeque<>();
    private final List<Answer> answers = new ArrayList<>();
    private final ArrayDeque<Long> signaled = new ArrayDeque<>();
    private final ArrayDeque<long[]> posted = new ArrayDeque<>(); // receives: id, offset, size
    private int operation;
    private int receives;
    private long sinkUsed;
    private long inboxUsed;
    private boolean broken;

    Traffic(End from, End to, Random random) {
        this.from = from;
        this.to = to;
        this.random = random;
    }

    /** Posts a few operations, if it feels like it. */
    void post() {
        int most = from.schedule.operations();
        while (!broken && operation < most && random.nextDouble() < from.schedule.eagerness()) {
            if (!postNext(operation == most - 1)) {
                return;
            }
        }
    }

    /** Posts a receive at the other end, if it feels like it. */
    void postReceive() {
        if (random.nextInt(3) == 0 || posted.size() >= to.schedule.receiveDepth() || broken) {
            return;
        }
        int size = End.LONGEST;
        if (inboxUsed + size > End.INBOX_SIZE) {
            return;
        }
        receiveWr.reset(receives);
        int pieces = 1 + random.nextInt(End.MAX_SGE);
        int done = 0;
        for (int piece = 1; piece <= pieces; piece++) {
            int part = piece == pieces ? size - done : random.nextInt((size - done) / 2 + 1);
            receiveWr.sge(to.inboxRegion, inboxUsed + done, part);
            done += part;
        }
        to.queuePair.postReceive(receiveWr);
        posted.add(new long[] {receives, inboxUsed, size});
        receives++;
        inboxUsed += size;
    }

    private boolean postNext(boolean last) {
        WrOpcode opcode = OPCODES[random.nextInt(OPCODES.length)];
        boolean atomic = opcode == WrOpcode.ATOMIC_CMP_AND_SWP || opcode == WrOpcode.ATOMIC_FETCH_AND_ADD;
        boolean read = opcode == WrOpcode.RDMA_READ;
        boolean aligned = atomic || opcode == WrOpcode.ATOMIC_WRITE;
        int length = aligned ? Long.BYTES : length();
        if ((atomic || read) && sinkUsed + length > End.SINK_SIZE) {
            return false;
        }
        if (isMessage(opcode) && inboxUsed + 2L * End.LONGEST > End.INBOX_SIZE && posted.isEmpty()) {
            opcode = WrOpcode.RDMA_WRITE; // no room is left for what this would bring
        }
        wr.reset(opcode).wrId(operation);
        boolean signal = last || random.nextBoolean();
        if (signal) {
            wr.signaled();
        }
        if (random.nextInt(4) == 0) {
            wr.fence();
        }
        long targetOffset = aligned ? random.nextInt(8) * 8L : random.nextInt(End.TARGET_SIZE - length + 1);
        long sourceOffset = random.nextInt(End.SOURCE_SIZE - length + 1);
        if (read) {
            pieces(sinkUsed, length, true);
            wr.remote(to.sourceRegion.address() + sourceOffset, to.sourceRegion.rKey());
        } else if (atomic) {
            pieces(sinkUsed, length, true);
            wr.remote(to.targetRegion.address() + targetOffset, to.targetRegion.rKey());
        } else if (aligned || opcode == WrOpcode.FLUSH) {
            wr.remote(to.targetRegion.address() + targetOffset, to.targetRegion.rKey());
        } else if (length <= End.MAX_INLINE && random.nextBoolean()) {
            wr.inlineData(from.source, sourceOffset, length);
            wr.remote(to.targetRegion.address() + targetOffset, to.targetRegion.rKey());
        } else {
            pieces(sourceOffset, length, false);
            wr.remote(to.targetRegion.address() + targetOffset, to.targetRegion.rKey());
        }
        int immediate = random.nextInt();
        wr.immediate(immediate);
        long operand = random.nextLong();
        long compare = random.nextBoolean() ? modelLong(targetOffset, atomic) : random.nextLong();
        switch (opcode) {
            case ATOMIC_CMP_AND_SWP -> wr.compareSwap(compare, operand);
            case ATOMIC_FETCH_AND_ADD -> wr.fetchAdd(operand);
            case ATOMIC_WRITE -> wr.atomicWrite(operand);
            case FLUSH -> {
                FlushLevel level = random.nextBoolean() ? FlushLevel.RANGE : FlushLevel.MEMORY_REGION;
                wr.flush(FlushType.GLOBAL, level, length);
            }
            default -> {}
        }
        try {
            from.queuePair.postSend(wr);
        } catch (VerbsException full) {
            assertEquals(VerbsException.Errno.ENOMEM, full.errno(), full.getMessage());
            return false;
        }
        if (signal) {
            signaled.add((long) operation);
        }
        execute(opcode, length, targetOffset, sourceOffset, immediate, operand, compare);
        operation++;
        return true;
    }

    private int length() {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt(3);
            case 1 -> random.nextInt(200);
            case 2 -> from.schedule.pathMtu() * random.nextInt(1 + Math.min(3, End.LONGEST / from.schedule.pathMtu()));
            default -> random.nextInt(Math.min(End.LONGEST, 5 * from.schedule.pathMtu()) + 1);
        };
    }

    private void pieces(long offset, int length, boolean sink) {
        int count = 1 + random.nextInt(End.MAX_SGE);
        int done = 0;
        for (int piece = 1; piece <= count; piece++) {
            int part = piece == count ? length - done : random.nextInt(length - done + 1);
            wr.sge(sink ? from.sinkRegion : from.sourceRegion, offset + done, part);
            done += part;
        }
    }

    private static boolean isMessage(WrOpcode opcode) {
        return opcode == WrOpcode.SEND || opcode == WrOpcode.SEND_WITH_IMM || opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
    }

    private long modelLong(long offset, boolean atomic) {
        return atomic ? MemorySegment.ofArray(model).get(ValueLayout.JAVA_LONG_UNALIGNED, offset) : 0;
    }

    private void execute(
            WrOpcode opcode,
            int length,
            long targetOffset,
            long sourceOffset,
            int immediate,
            long operand,
            long compare) {
        MemorySegment memory = MemorySegment.ofArray(model);
        switch (opcode) {
            case RDMA_WRITE, RDMA_WRITE_WITH_IMM -> {
                MemorySegment.copy(from.source, sourceOffset, memory, targetOffset, length);
                if (opcode == WrOpcode.RDMA_WRITE_WITH_IMM) {
                    messages.add(new Message(null, length, immediate, true));
                }
            }
            case SEND, SEND_WITH_IMM -> {
                messages.add(new Message(
                        from.source.asSlice(sourceOffset, length),
                        length,
                        immediate,
                        opcode == WrOpcode.SEND_WITH_IMM));
            }
            case RDMA_READ -> {
                answers.add(new Answer(sinkUsed, to.source.asSlice(sourceOffset, length)));
                sinkUsed += length;
            }
            case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD -> {
                long before = memory.get(ValueLayout.JAVA_LONG_UNALIGNED, targetOffset);
                boolean add = opcode == WrOpcode.ATOMIC_FETCH_AND_ADD;
                if (add || before == compare) {
                    memory.set(ValueLayout.JAVA_LONG_UNALIGNED, targetOffset, add ? before + operand : operand);
                }
                MemorySegment bytes = MemorySegment.ofArray(new byte[Long.BYTES]);
                bytes.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, before);
                answers.add(new Answer(sinkUsed, bytes));
                sinkUsed += Long.BYTES;
            }
            case ATOMIC_WRITE -> memory.set(ValueLayout.JAVA_LONG_UNALIGNED, targetOffset, operand);
            case FLUSH -> {}
            case LOCAL_INV, SEND_WITH_INV, BIND_MW, REG_MR -> throw new AssertionError(opcode);
        }
    }

    /** Takes completions of both ends and holds them against the model. */
    void poll() {
        while (from.sendCq.poll(completion)) {
            if (completion.status() == WcStatus.RETRY_EXC_ERR
                    && from.schedule.faults().loss() > 0) {
                broken = true; // seven resends in a row were lost: legal, and the rest is flushed
                return;
            }
            assertEquals(WcStatus.SUCCESS, completion.status(), () -> from.name + ": " + completion);
            assertTrue(!signaled.isEmpty(), () -> from.name + " completes what was not signaled: " + completion);
            assertEquals(signaled.poll(), completion.wrId(), () -> from.name + " completes out of order");
        }
        while (to.receiveCq.poll(completion)) {
            if (completion.status() == WcStatus.WR_FLUSH_ERR
                    && from.schedule.faults().loss() > 0) {
                broken = true;
                return;
            }
            receive();
        }
    }

    private void receive() {
        assertEquals(WcStatus.SUCCESS, completion.status(), () -> to.name + ": " + completion);
        long[] receive = posted.poll();
        Message message = messages.poll();
        assertTrue(receive != null && message != null, () -> to.name + " receives what was not sent: " + completion);
        assertEquals(receive[0], completion.wrId(), () -> to.name + " receives out of order");
        assertEquals(message.length, completion.byteLength(), () -> to.name + ": length of message");
        assertEquals(message.hasImmediate, completion.hasImmediate());
        if (message.hasImmediate) {
            assertEquals(message.immediate, completion.immediate());
        }
        if (message.payload != null) {
            MemorySegment got = to.inbox.asSlice(receive[1], message.length);
            assertEquals(-1, got.mismatch(message.payload), () -> to.name + ": bytes of message");
            MemorySegment behind = to.inbox.asSlice(receive[1] + message.length, receive[2] - message.length);
            assertEquals(-1, behind.mismatch(ZEROS.asSlice(0, behind.byteSize())), () -> to.name + " wrote too far");
        }
    }

    boolean isBroken() {
        return broken;
    }

    boolean isDone() {
        return broken || (operation == from.schedule.operations() && signaled.isEmpty() && messages.isEmpty());
    }

    /** At the end: memory is what the model says. */
    void check() {
        if (broken) {
            return;
        }
        assertEquals(-1, to.target.mismatch(MemorySegment.ofArray(model)), () -> to.name + ": target memory differs");
        for (Answer answer : answers) {
            MemorySegment got = from.sink.asSlice(answer.offset, answer.bytes.byteSize());
            assertEquals(-1, got.mismatch(answer.bytes), () -> from.name + ": answer differs");
        }
    }

    @Override
    public String toString() {
        return from.name + ": " + operation + " posted, waits for completions " + signaled + " and " + messages.size()
                + " messages, " + posted.size() + " receives are posted";
    }
}
