package org.rdma4j.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.rdma4j.verbs.TwoDevices.ids;
import static org.rdma4j.verbs.TwoDevices.refused;
import static org.rdma4j.verbs.TwoDevices.take;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.link.loop.LoopNetwork;
import org.rdma4j.verbs.VerbsException.Errno;
import org.rdma4j.wire.Gid;

/** {@code ibv_req_notify_cq}, {@code ibv_get_cq_event}, {@code ibv_resize_cq}, {@code ibv_destroy_cq} and polling. */
class CompletionQueueTest {

    private static final Duration AT_ONCE = Duration.ZERO;
    private static final Duration LONG = Duration.ofSeconds(20);

    private final TwoDevices two = new TwoDevices().connected();

    @AfterEach
    void close() {
        two.close();
    }

    private CompletionQueue event() {
        try {
            return two.channel.getEvent(AT_ONCE);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The peer sends what a receive of this side takes. */
    private void receiveOne(boolean solicited) {
        two.postReceives(two.qp, two.region, 1);
        SendWorkRequest wr = new SendWorkRequest().reset(WrOpcode.SEND).sge(two.regionThere, 0, 8);
        two.peer.postSend(solicited ? wr.solicited() : wr);
        two.run();
    }

    @Test
    void armedOnceGivesOneEvent() {
        two.cq.requestNotify(false);
        receiveOne(false);
        receiveOne(false);
        assertSame(two.cq, event());
        assertNull(event());
        two.cq.requestNotify(false);
        receiveOne(false);
        assertSame(two.cq, event());
        two.cq.ackEvents(2);
    }

    @Test
    void unarmedGivesNone() {
        receiveOne(true);
        assertNull(event());
    }

    @Test
    void completionThatCameBeforeIsFoundByThePollBehindTheArming() {
        receiveOne(false);
        two.cq.requestNotify(false);
        assertNull(event());
        assertEquals(1, take(two.cq).size());
    }

    @Test
    void solicitedOnlyWaitsForASolicitedOne() {
        two.cq.requestNotify(true);
        receiveOne(false);
        assertNull(event());
        receiveOne(true);
        assertSame(two.cq, event());
        two.cq.ackEvents(1);
    }

    @Test
    void solicitedOnlyHearsOfErrorsToo() {
        two.postReceives(two.qp, two.region, 1);
        two.cq.requestNotify(true);
        two.qp.modify(new QpAttributes().state(QpState.ERR));
        assertSame(two.cq, event());
        two.cq.ackEvents(1);
        assertEquals(WcStatus.WR_FLUSH_ERR, take(two.cq).getFirst().status());
    }

    @Test
    void armingForSolicitedOnesDoesNotWeakenAnArming() {
        two.cq.requestNotify(false);
        two.cq.requestNotify(true);
        receiveOne(false);
        assertSame(two.cq, event());
        two.cq.ackEvents(1);
    }

    @Test
    void eventWakesAThreadThatWaits() throws InterruptedException {
        LoopNetwork network = new LoopNetwork();
        try (DeviceContext one = DeviceContext.on(network.join(Gid.ofIpv4(1)), DeviceOptions.defaults());
                DeviceContext other = DeviceContext.on(network.join(Gid.ofIpv4(2)), DeviceOptions.defaults())) {
            CompletionChannel channel = one.createCompletionChannel();
            CompletionQueue cq = one.createCq(4, channel);
            QueuePair waiting = one.allocPd().createQp(QpInitAttributes.rc(cq));
            QueuePair sending = other.allocPd().createQp(QpInitAttributes.rc(other.createCq(4)));
            Connecting.both(waiting, sending);
            waiting.postReceive(new ReceiveWorkRequest().reset(9));
            cq.requestNotify(false);
            sending.postSend(new SendWorkRequest().reset(WrOpcode.SEND));
            assertSame(cq, channel.getEvent(LONG));
            cq.ackEvents(1);
            assertEquals(List.of(9L), ids(take(cq)));
        }
    }

    @Test
    void queueWithoutAChannelCannotBeArmed() {
        refused(Errno.EINVAL, "without a channel", () -> two.cqThere.requestNotify(false));
    }

    @Test
    void moreThanTheEventsTakenCannotBeAcknowledged() {
        refused(Errno.EINVAL, "1 events acknowledged, 0", () -> two.cq.ackEvents(1));
        refused(Errno.EINVAL, "-1 events", () -> two.cq.ackEvents(-1));
    }

    @Test
    void isNotDestroyedBeforeItsEventsAreAcknowledged() {
        CompletionQueue other = two.here.createCq(4, two.channel);
        QueuePair qp = two.pd.createQp(QpInitAttributes.rc(other));
        Connecting.both(qp, two.pdThere.createQp(QpInitAttributes.rc(two.cqThere)));
        qp.postReceive(two.receive.reset(1));
        other.requestNotify(false);
        refused(Errno.EBUSY, "2 send and receive queues", other::close);
        qp.modify(new QpAttributes().state(QpState.ERR));
        qp.close();
        refused(Errno.EBUSY, "1 events", other::close);
        other.ackEvents(1);
        other.close();
        other.close();
        refused(Errno.EINVAL, "completion queue was destroyed", () -> two.pd.createQp(QpInitAttributes.rc(other)));
    }

    @Test
    void resizingKeepsWhatWaits() {
        two.postReceives(two.peer, two.regionThere, 6);
        for (int id = 0; id < 6; id++) {
            two.qp.postSend(two.send(id).signaled());
        }
        two.run();
        refused(Errno.EINVAL, "6 completions wait, a queue of 5", () -> two.cq.resize(5));
        two.cq.resize(6);
        two.cq.resize(500);
        assertEquals(500, two.cq.capacity());
        assertEquals(LongStream.range(0, 6).boxed().toList(), ids(take(two.cq)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MAX_VALUE})
    void impossibleSizesAreRefused(int entries) {
        refused(Errno.EINVAL, "not " + entries, () -> two.here.createCq(entries));
        refused(Errno.EINVAL, "not " + entries, () -> two.cq.resize(entries));
    }

    @Test
    void takesAsManyAsFit() {
        two.postReceives(two.peer, two.regionThere, 5);
        for (int id = 0; id < 5; id++) {
            two.qp.postSend(two.send(id).signaled());
        }
        two.run();
        WorkCompletion[] three =
                IntStream.range(0, 3).mapToObj(_ -> new WorkCompletion()).toArray(WorkCompletion[]::new);
        assertEquals(3, two.cq.poll(three));
        assertEquals(List.of(0L, 1L, 2L), ids(List.of(three)));
        assertEquals(2, two.cq.poll(three));
        assertEquals(0, two.cq.poll(three));
    }
}
