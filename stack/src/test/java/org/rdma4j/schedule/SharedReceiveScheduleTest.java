package org.rdma4j.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.rdma4j.link.fault.Faults;
import org.rdma4j.link.fault.FaultyLink;
import org.rdma4j.link.loop.LoopNetwork;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.AsyncEvent;
import org.rdma4j.verbs.AsyncEventType;
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
import org.rdma4j.verbs.SharedReceiveQueue;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.verbs.XrcDomain;
import org.rdma4j.wire.Gid;

/**
 * One shared receive queue behind 100 connections, RC or XRC, over a network that loses, doubles, reorders and damages: each
 * message comes once, whole, on its own connection and in its order, in a buffer of its own. {@code -Dseed=N} runs one
 * schedule.
 */
class SharedReceiveScheduleTest {

    private static final int SCHEDULES = Integer.getInteger("schedules", 200);
    private static final int CONNECTIONS = 100;
    private static final int MESSAGES = 6;
    private static final int LONGEST = 1500;
    private static final int BUFFERS = 24; // far fewer than there are connections
    private static final int PATH_MTU = 256;
    private static final long TOO_LONG = 600_000_000_000L;

    @Test
    void hundredConnectionsShareOneQueueAndLoseNothing() {
        Long only = Long.getLong("seed");
        long first = only == null ? 1 : only;
        long last = only == null ? SCHEDULES : only;
        long notReady = 0;
        long duplicates = 0;
        for (long seed = first; seed <= last; seed++) {
            try (Run run = new Run(seed)) {
                run.play();
                notReady += run.receiver.decisions(Rule.RECEIVE_NOT_READY);
                duplicates += run.receiver.decisions(Rule.DUPLICATE_ANSWERED);
            } catch (AssertionError | RuntimeException e) {
                fail("schedule with -Dseed=" + seed, e);
            }
        }
        assertTrue(notReady > 0 && duplicates > 0, "nothing was hostile enough");
    }

    /** One world: a device with 100 senders, one with their peers and the shared queue. */
    private static final class Run implements AutoCloseable {

        private final Random random;
        private final boolean isXrc;
        private final LoopNetwork network = new LoopNetwork();
        private final DeviceContext sender;
        private final DeviceContext receiver;
        private final CompletionQueue sent;
        private final CompletionQueue received;
        private final SharedReceiveQueue srq;
        private final QueuePair[] from = new QueuePair[CONNECTIONS];
        private final Map<Integer, Integer> connections = new HashMap<>(); // by the receiving queue pair's number
        private final int[] posted = new int[CONNECTIONS];
        private final int[] expected = new int[CONNECTIONS];
        private final int[] completed = new int[CONNECTIONS];
        private final MemoryRegion source;
        private final MemoryRegion inbox;
        private final SendWorkRequest send = new SendWorkRequest();
        private final ReceiveWorkRequest receive = new ReceiveWorkRequest();
        private final WorkCompletion completion = new WorkCompletion();
        private final boolean[] waits = new boolean[BUFFERS];
        private long now = 1_000_000;
        private int limitEvents;

        Run(long seed) {
            random = new Random(seed);
            isXrc = random.nextInt(4) == 0;
            Faults faults = Faults.NONE
                    .withLoss(random.nextDouble() * 0.05)
                    .withReorder(random.nextDouble() * 0.1)
                    .withDuplicate(random.nextDouble() * 0.1)
                    .withCorrupt(random.nextDouble() * 0.03);
            sender = device(1, faults);
            receiver = device(2, faults);
            ProtectionDomain senders = sender.allocPd();
            ProtectionDomain receivers = receiver.allocPd();
            sent = sender.createCq(CONNECTIONS * MESSAGES);
            received = receiver.createCq(CONNECTIONS * MESSAGES);
            XrcDomain domain = receiver.openXrcDomain();
            srq = isXrc ? receivers.createXrcSrq(BUFFERS, 1, domain, received) : receivers.createSrq(BUFFERS, 1);
            source = senders.register(Arena.ofAuto().allocate((long) CONNECTIONS * MESSAGES * LONGEST), 0);
            inbox = receivers.register(Arena.ofAuto().allocate((long) BUFFERS * LONGEST), AccessFlags.LOCAL_WRITE);
            for (int index = 0; index < CONNECTIONS; index++) {
                QpInitAttributes sends = isXrc ? QpInitAttributes.xrcSend(sent) : QpInitAttributes.rc(sent);
                from[index] = senders.createQp(sends.withSignalAll(true));
                QueuePair to = isXrc
                        ? domain.createQp()
                        : receivers.createQp(QpInitAttributes.rc(received).withSrq(srq));
                connections.put(to.qpNum(), index);
                connect(from[index], receiver, to);
                connect(to, sender, from[index]);
            }
        }

        private DeviceContext device(int host, Faults faults) {
            return DeviceContext.on(
                    new FaultyLink(network.join(Gid.ofIpv4(0x0A00_0000 | host)), faults, random),
                    DeviceOptions.defaults()
                            .withProgress(Progress.CALLER)
                            .withRandom(random::nextInt)
                            .withClock(() -> now));
        }

        private static void connect(QueuePair qp, DeviceContext peer, QueuePair peerQp) {
            qp.modify(
                    new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(0));
            QpType type = qp.initAttributes().type();
            QpAttributes receiving = new QpAttributes()
                    .state(QpState.RTR)
                    .av(AhAttributes.to(peer.queryGid(0)))
                    .pathMtu(PATH_MTU)
                    .destQpNum(peerQp.qpNum())
                    .rqPsn(0xFF_FFFE);
            qp.modify(
                    type == QpType.XRC_SEND
                            ? receiving
                            : receiving.maxDestRdAtomic(1).minRnrTimer(1));
            QpAttributes sending =
                    new QpAttributes().state(QpState.RTS).sqPsn(0xFF_FFFE).timeout(10);
            qp.modify(
                    type == QpType.XRC_RECV
                            ? sending
                            : sending.retryCount(7).rnrRetry(7).maxRdAtomic(1));
        }

        void play() {
            srq.armLimit(BUFFERS / 2);
            int left = CONNECTIONS * MESSAGES;
            while (left > 0 || sum(completed) < CONNECTIONS * MESSAGES) {
                postSome();
                sender.progress();
                receiver.progress();
                while (received.poll(completion)) {
                    take();
                    left--;
                }
                while (sent.poll(completion)) {
                    assertTrue(completion.isSuccess(), completion::toString);
                    completed[(int) completion.wrId() / MESSAGES]++;
                }
                countEvents();
                now += 1_000 + random.nextInt(20_000);
                assertTrue(now < TOO_LONG, "stalled");
            }
            assertTrue(limitEvents > 0, "the limit was never reached");
        }

        private void postSome() {
            for (int buffer = 0; buffer < BUFFERS; buffer++) {
                if (!waits[buffer] && random.nextInt(4) == 0) {
                    srq.post(receive.reset(buffer).sge(inbox, (long) buffer * LONGEST, LONGEST));
                    waits[buffer] = true;
                }
            }
            int index = random.nextInt(CONNECTIONS);
            for (int some = random.nextInt(20); some > 0; some--, index = (index + 1) % CONNECTIONS) {
                if (posted[index] < MESSAGES) {
                    postMessage(index, posted[index]++);
                }
            }
        }

        /** Length and bytes follow from connection and number, so the receiver knows what is right. */
        private void postMessage(int index, int number) {
            int id = index * MESSAGES + number;
            int length = length(id);
            long offset = (long) id * LONGEST;
            fill(source.memory().asSlice(offset, length), id);
            from[index].postSend(send.reset(WrOpcode.SEND_WITH_IMM)
                    .wrId(id)
                    .immediate(number)
                    .remoteSrq(srq.number())
                    .sge(source, offset, length));
        }

        private static int length(int id) {
            return id * 37 % (LONGEST + 1);
        }

        private static void fill(MemorySegment memory, int id) {
            for (long at = 0; at < memory.byteSize(); at++) {
                memory.set(ValueLayout.JAVA_BYTE, at, (byte) (id * 31 + at));
            }
        }

        private void take() {
            assertTrue(completion.isSuccess(), completion::toString);
            int index = connections.get(completion.qpNum());
            int number = expected[index]++;
            assertEquals(number, completion.immediate(), "the message of connection " + index);
            int id = index * MESSAGES + number;
            assertEquals(length(id), completion.byteLength());
            int buffer = (int) completion.wrId();
            assertTrue(waits[buffer], () -> "buffer " + buffer + " was used twice");
            waits[buffer] = false;
            MemorySegment should = MemorySegment.ofArray(new byte[length(id)]);
            fill(should, id);
            assertEquals(
                    -1,
                    inbox.memory().asSlice((long) buffer * LONGEST, length(id)).mismatch(should));
        }

        private void countEvents() {
            try {
                AsyncEvent event = receiver.getAsyncEvent(Duration.ZERO);
                if (event != null && event.type() == AsyncEventType.SRQ_LIMIT_REACHED) {
                    limitEvents++;
                    srq.armLimit(BUFFERS / 2);
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        private static int sum(int[] numbers) {
            int sum = 0;
            for (int number : numbers) {
                sum += number;
            }
            return sum;
        }

        @Override
        public void close() {
            sender.close();
            receiver.close();
        }
    }
}
