package org.rdma4j.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.rdma4j.link.Link;
import org.rdma4j.link.fault.FaultyLink;
import org.rdma4j.link.loop.LoopNetwork;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.AddressHandle;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.CompletionQueue;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceOptions;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.Progress;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QpType;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Grh;

/**
 * A sender and a receiver of UC or UD, and a clock that moves by chance. Message {@code n} carries the immediate data
 * {@code n} and bytes that only {@code n} has; a WRITE goes to a place that only {@code n} writes to.
 */
final class UnackedWorld implements AutoCloseable {

    private static final int LONGEST = 6 << 10;
    private static final int SLOT = Grh.LENGTH + LONGEST;
    private static final int Q_KEY = 0x1357;
    private static final byte GUARD = (byte) 0xE7;
    private static final MemorySegment UNTOUCHED =
            MemorySegment.ofArray(new byte[SLOT]).fill(GUARD);
    private static final long STEP = 1_000;

    /** Whatever was on its way has arrived or was lost by then. */
    private static final int MOST_ROUNDS = 10_000_000;

    private static final int SETTLING_ROUNDS = 200;

    private final QpType type;
    private final Schedule schedule;
    private final Random random;
    private final DeviceContext sender;
    private final DeviceContext receiver;
    private final QueuePair from;
    private final QueuePair to;
    private final CompletionQueue sent;
    private final CompletionQueue received;
    private final MemoryRegion source;
    private final MemoryRegion inbox;
    private final MemoryRegion target;
    private final AddressHandle way;
    private final int[] lengths;
    private final WrOpcode[] opcodes;
    private final int[] deliveries;
    private final ArrayDeque<Long> completions = new ArrayDeque<>();
    private final SendWorkRequest send = new SendWorkRequest();
    private final ReceiveWorkRequest receive = new ReceiveWorkRequest();
    private final WorkCompletion completion = new WorkCompletion();
    private long now = 1_000_000;
    private int posted;
    private final ArrayDeque<Integer> freeSlots = new ArrayDeque<>(); // of the inbox
    private final List<MemorySegment> guards = new ArrayList<>();
    private int latest = -1;

    UnackedWorld(QpType type, Schedule schedule) {
        this.type = type;
        this.schedule = schedule;
        random = new Random(schedule.seed() * 31 + type.number());
        LoopNetwork network = new LoopNetwork();
        boolean ipv6 = random.nextInt(4) == 0;
        sender = device(new FaultyLink(network.join(gid(ipv6, 1)), schedule.faults(), random));
        receiver = device(network.join(gid(ipv6, 2)));
        int messages = schedule.operations();
        ProtectionDomain senders = sender.allocPd();
        ProtectionDomain receivers = receiver.allocPd();
        sent = sender.createCq(messages);
        received = receiver.createCq(4 * messages);
        from = queuePair(senders, sent);
        to = queuePair(receivers, received);
        source = senders.register(guarded((long) messages * LONGEST), 0);
        inbox = receivers.register(guarded((long) schedule.receiveDepth() * SLOT), AccessFlags.LOCAL_WRITE);
        target = receivers.register(
                guarded((long) messages * LONGEST), AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
        for (int slot = 0; slot < schedule.receiveDepth(); slot++) {
            freeSlots.add(slot);
        }
        way = senders.createAh(AhAttributes.to(receiver.queryGid(0)));
        connect(from, receiver, to);
        connect(to, sender, from);
        lengths = new int[messages];
        opcodes = new WrOpcode[messages];
        deliveries = new int[messages];
        for (int number = 0; number < messages; number++) {
            int most = type == QpType.UD ? sender.queryPort().activeMtu() : LONGEST;
            lengths[number] = random.nextInt(4) == 0 ? random.nextInt(64) : random.nextInt(most + 1);
            boolean write = type == QpType.UC && random.nextInt(3) == 0;
            opcodes[number] = write ? WrOpcode.RDMA_WRITE_WITH_IMM : WrOpcode.SEND_WITH_IMM;
            for (int at = 0; at < lengths[number]; at++) {
                source.memory().set(ValueLayout.JAVA_BYTE, (long) number * LONGEST + at, content(number, at));
            }
        }
    }

    private static byte content(int number, int at) {
        return (byte) (number * 37 + at * 11 + (at >>> 8) * 5);
    }

    private static Gid gid(boolean ipv6, int host) {
        return ipv6 ? new Gid(0xFD00_0000_0000_0000L, host) : Gid.ofIpv4(0x0A00_0000 | host);
    }

    private DeviceContext device(Link link) {
        return DeviceContext.on(
                link,
                DeviceOptions.defaults()
                        .withProgress(Progress.CALLER)
                        .withRandom(random::nextInt)
                        .withClock(() -> now));
    }

    /** Memory in the midst of more that nothing may touch. */
    private MemorySegment guarded(long size) {
        MemorySegment whole = Arena.ofAuto().allocate(size + 2L * SLOT, 64).fill(GUARD);
        guards.add(whole.asSlice(0, SLOT));
        guards.add(whole.asSlice(SLOT + size, SLOT));
        return whole.asSlice(SLOT, size);
    }

    private QueuePair queuePair(ProtectionDomain pd, CompletionQueue cq) {
        QpInitAttributes attributes = type == QpType.UC ? QpInitAttributes.uc(cq) : QpInitAttributes.ud(cq);
        return pd.createQp(attributes
                .withDepths(schedule.sendDepth(), schedule.receiveDepth())
                .withSge(1, 1));
    }

    private void connect(QueuePair qp, DeviceContext peerDevice, QueuePair peer) {
        QpAttributes identity =
                new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1);
        QpAttributes receiving = new QpAttributes().state(QpState.RTR);
        if (type == QpType.UC) {
            identity.accessFlags(AccessFlags.REMOTE_WRITE);
            receiving
                    .av(AhAttributes.to(peerDevice.queryGid(0)))
                    .pathMtu(schedule.pathMtu())
                    .destQpNum(peer.qpNum())
                    .rqPsn(schedule.firstPsn());
        } else {
            identity.qkey(Q_KEY);
        }
        qp.modify(identity);
        qp.modify(receiving);
        qp.modify(new QpAttributes().state(QpState.RTS).sqPsn(schedule.firstPsn()));
    }

    /** @param met counts the decisions that packets met, by rule */
    void play(long[] met) {
        int settling = 0;
        for (int round = 0; settling < SETTLING_ROUNDS; round++) {
            assertTrue(round < MOST_ROUNDS, () -> "these sends never completed: " + completions);
            step();
            if (posted == lengths.length && completions.isEmpty()) {
                settling++;
            }
        }
        boolean lossless = schedule.faults().loss()
                                + schedule.faults().corrupt()
                                + schedule.faults().reorder()
                                + schedule.faults().duplicate()
                                + schedule.faults().jitterNanos()
                        == 0
                && receiver.decisions(Rule.RECEIVE_MISSING) == 0;
        for (int number = 0; lossless && number < deliveries.length; number++) {
            assertEquals(1, deliveries[number], "deliveries of message " + number + " over a good network");
        }
        for (MemorySegment guard : guards) {
            assertEquals(-1, guard.mismatch(UNTOUCHED), "a guard zone was written to");
        }
        for (Rule rule : Rule.values()) {
            met[rule.ordinal()] += receiver.decisions(rule);
        }
        met[Rule.ICRC_MISMATCH.ordinal()] += receiver.linkCounters().icrcErrors;
    }

    private void step() {
        while (!freeSlots.isEmpty() && random.nextDouble() < schedule.eagerness()) {
            int slot = freeSlots.poll();
            to.postReceive(receive.reset(slot).sge(inbox, (long) slot * SLOT, SLOT));
        }
        while (posted < lengths.length
                && completions.size() < schedule.sendDepth()
                && random.nextDouble() < schedule.eagerness()) {
            post(posted++);
        }
        if (random.nextDouble() >= schedule.pause()) {
            sender.progress();
        }
        if (random.nextDouble() >= schedule.pause()) {
            receiver.progress();
        }
        poll();
        now += STEP + random.nextInt(20_000);
    }

    private void post(int number) {
        send.reset(opcodes[number])
                .wrId(number)
                .immediate(number)
                .sge(source, (long) number * LONGEST, lengths[number])
                .signaled();
        if (type == QpType.UD) {
            send.ud(way, to.qpNum(), Q_KEY);
        } else {
            send.remote(target.address() + (long) number * LONGEST, target.rKey());
        }
        from.postSend(send);
        completions.add((long) number);
    }

    private void poll() {
        while (sent.poll(completion)) {
            assertTrue(completion.isSuccess(), completion::toString);
            assertEquals(completions.poll(), completion.wrId(), "sends complete in order");
        }
        while (received.poll(completion)) {
            take();
        }
    }

    private void take() {
        assertTrue(completion.isSuccess(), completion::toString);
        int number = completion.immediate();
        assertTrue(number >= 0 && number < posted, () -> "message " + number + " was not sent");
        int headroom = type == QpType.UD ? Grh.LENGTH : 0;
        assertEquals(headroom + lengths[number], completion.byteLength(), "length of message " + number);
        boolean inOrder = schedule.faults().reorder() == 0 && schedule.faults().jitterNanos() == 0;
        assertTrue(!inOrder || number >= latest, () -> "message " + number + " came behind " + latest);
        latest = number;
        deliveries[number]++;
        if (opcodes[number] == WrOpcode.RDMA_WRITE_WITH_IMM) {
            check(target.memory().asSlice((long) number * LONGEST, lengths[number]), number);
        } else {
            check(inbox.memory().asSlice(completion.wrId() * SLOT + headroom, lengths[number]), number);
        }
        freeSlots.add((int) completion.wrId());
    }

    private void check(MemorySegment got, int number) {
        for (int at = 0; at < lengths[number]; at++) {
            int index = at;
            assertEquals(
                    content(number, at),
                    got.get(ValueLayout.JAVA_BYTE, at),
                    () -> "byte " + index + " of message " + number + " is another's");
        }
    }

    @Override
    public void close() {
        sender.close();
        receiver.close();
    }
}
