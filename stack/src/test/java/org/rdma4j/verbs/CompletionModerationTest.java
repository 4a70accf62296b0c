package org.rdma4j.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code ibv_modify_cq} and the timestamps of {@code ibv_cq_ex}. */
class CompletionModerationTest {

    private final Pair pair = new Pair();
    private final CompletionChannel channel = pair.left.createCompletionChannel();
    private final CompletionQueue cq =
            pair.left.createCq(CqInitAttributes.of(64).withChannel(channel).withTimestamps());
    private final QueuePair qp =
            pair.left.allocPd().createQp(QpInitAttributes.rc(cq).withSignalAll(true));

    CompletionModerationTest() {
        CompletionQueue other = pair.right.createCq(1);
        Connecting.both(qp, pair.right.allocPd().createQp(QpInitAttributes.rc(other)));
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private void complete(int times) {
        for (int i = 0; i < times; i++) {
            qp.postSend(new SendWorkRequest().reset(WrOpcode.RDMA_WRITE)); // of no bytes
        }
        pair.settle();
    }

    private void event() throws InterruptedException {
        assertSame(cq, channel.getEvent(Duration.ZERO));
        cq.ackEvents(1);
        noEvent();
    }

    private void noEvent() throws InterruptedException {
        assertNull(channel.getEvent(Duration.ZERO));
    }

    @Test
    void eventComesWithTheLastOfSoManyCompletions() throws InterruptedException {
        cq.moderate(4, 0);
        cq.requestNotify(false);
        complete(3);
        pair.passes(Duration.ofMinutes(1));
        noEvent();
        complete(1);
        event();
        complete(8);
        noEvent(); // not armed again
    }

    @Test
    void orSoLongAfterTheFirst() throws InterruptedException {
        cq.moderate(4, 50);
        cq.requestNotify(false);
        complete(1);
        pair.passes(Duration.ofNanos(40_000));
        complete(1);
        noEvent();
        pair.passes(Duration.ofNanos(9_999));
        noEvent();
        pair.passes(Duration.ofNanos(1));
        event();
        cq.requestNotify(false);
        pair.passes(Duration.ofMinutes(1));
        noEvent(); // nothing came since
    }

    @Test
    void deviceWakesUpForIt() {
        cq.moderate(4, 50);
        cq.requestNotify(false);
        complete(1);
        assertEquals(pair.now() + 50_000, pair.left.engine().nextDeadline());
    }

    @Test
    void endingItGivesTheEventThatWasPutOff() throws InterruptedException {
        cq.moderate(4, 0);
        cq.requestNotify(false);
        complete(2);
        noEvent();
        cq.moderate(0, 0);
        event();
        cq.requestNotify(false);
        complete(1);
        event();
    }

    @ParameterizedTest
    @CsvSource({"-1, 0, cq_count", "65536, 0, cq_count", "2, -1, cq_period", "2, 65536, not 65536"})
    void valuesAreThoseOfTheVerb(int count, int period, String named) {
        VerbsException refusal = assertThrows(VerbsException.class, () -> cq.moderate(count, period));
        assertTrue(refusal.getMessage().contains(named), refusal.getMessage());
    }

    @Test
    void completionsTellWhenTheyCame() {
        complete(1);
        long first = pair.now();
        pair.passes(Duration.ofNanos(1234));
        complete(1);
        cq.resize(32);
        WorkCompletion completion = new WorkCompletion();
        assertTrue(cq.poll(completion));
        assertEquals(first, completion.timestamp());
        assertTrue(cq.poll(completion));
        assertEquals(first + 1234, completion.timestamp());
        assertEquals(pair.now(), pair.left.rawClock());
        long wall = pair.left.wallclock(completion.timestamp());
        assertTrue(Math.abs(wall / 1_000_000 - System.currentTimeMillis()) < 60_000, () -> wall + " ns since 1970");
    }

    @Test
    void theyDoNotWhereNobodyAsked() {
        CompletionQueue plain = pair.left.createCq(8);
        QueuePair other = pair.left.allocPd().createQp(QpInitAttributes.rc(plain));
        other.modify(new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(0));
        other.postReceive(new ReceiveWorkRequest().reset(7));
        other.modify(new QpAttributes().state(QpState.ERR));
        WorkCompletion completion = new WorkCompletion();
        assertTrue(plain.poll(completion));
        assertEquals(0, completion.timestamp());
    }
}
