package org.rdma4j.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rdma4j.verbs.TwoDevices.refused;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.rdma4j.verbs.VerbsException.Errno;

/** {@code ibv_create_qp} and {@code ibv_query_qp}: what a queue pair is made with, and what it says of itself. */
class QueuePairTest {

    private static final int Q_KEY = 0x1111_1111;

    private final TwoDevices two = new TwoDevices();

    @AfterEach
    void close() {
        two.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = QpType.class,
            names = {"RC", "UC", "UD"})
    void isCreatedInResetWithWhatWasAskedFor(QpType type) {
        QpInitAttributes asked = QpInitAttributes.of(type, two.cq)
                .withDepths(5, 6)
                .withSge(2, 3)
                .withInline(17)
                .withSignalAll(true);
        QueuePair qp = two.pd.createQp(asked);
        assertEquals(QpState.RESET, qp.state());
        assertEquals(QpState.RESET, qp.query().state());
        assertSame(asked, qp.initAttributes());
        assertSame(two.pd, qp.pd());
        assertTrue(qp.qpNum() > 1 && qp.qpNum() < 0xFF_FFFF, () -> "QPN " + qp.qpNum());
        qp.close();
        qp.close(); // once more is nothing
    }

    @ParameterizedTest
    @CsvSource({
        "65537, 1, 1, 1, 'max_send_wr is 0 to 65536, not 65537'",
        "1, 65537, 1, 1, 'max_recv_wr is 0 to 65536, not 65537'",
        "1, 1, 33, 1, 'max_send_sge is 0 to 32, not 33'",
        "1, 1, 1, 33, 'max_recv_sge is 0 to 32, not 33'",
        "-1, 1, 1, 1, 'max_send_wr is 0 to 65536, not -1'"
    })
    void sizesBeyondTheDevicesAreRefused(int sends, int receives, int sendSge, int receiveSge, String named) {
        QpInitAttributes tooLarge =
                QpInitAttributes.rc(two.cq).withDepths(sends, receives).withSge(sendSge, receiveSge);
        refused(Errno.EINVAL, named, () -> two.pd.createQp(tooLarge));
        refused(
                Errno.EINVAL,
                "max_inline_data",
                () -> two.pd.createQp(QpInitAttributes.rc(two.cq).withInline(1025)));
    }

    @Test
    void datagramPairTellsWhatItWasModifiedTo() {
        QueuePair qp = two.pd.createQp(QpInitAttributes.ud(two.cq));
        qp.modify(new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).qkey(Q_KEY));
        assertEquals(Q_KEY, qp.query().qkey());
        qp.modify(new QpAttributes().state(QpState.RTR));
        qp.modify(new QpAttributes().state(QpState.RTS).sqPsn(0x12_3456).qkey(Q_KEY + 1));
        QpAttributes now = qp.query();
        assertEquals(QpState.RTS, now.state());
        assertEquals(0x12_3456, now.sqPsn());
        assertEquals(Q_KEY + 1, now.qkey());
        assertEquals(0, now.pkeyIndex());
        assertEquals(1, now.port());
    }

    @Test
    void connectedPairTellsWhatItWasModifiedTo() {
        two.connected();
        QpAttributes now = two.qp.query();
        assertEquals(two.there.queryGid(0), now.av().dgid());
        assertEquals(two.peer.qpNum(), now.destQpNum());
        assertEquals(1024, now.pathMtu());
        assertEquals(4, now.maxRdAtomic(), "at least what was asked for");
        assertEquals(4, now.maxDestRdAtomic());
        assertEquals(Connecting.ACCESS, now.accessFlags());
        assertEquals(14, now.timeout());
        assertEquals(7, now.retryCount());
        assertEquals(7, now.rnrRetry());
        assertEquals(1, now.minRnrTimer());
    }
}
