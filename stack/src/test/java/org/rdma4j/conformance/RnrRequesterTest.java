package org.rdma4j.conformance;

import static org.rdma4j.conformance.Packets.ack;
import static org.rdma4j.conformance.Packets.rnrNak;
import static org.rdma4j.conformance.Packets.sendOnly;
import static org.rdma4j.conformance.Packets.writeOnly;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WrOpcode;

/** Group RNR, the requester's half: it waits as long as it was told, and counts (9.7.5.2.8). */
class RnrRequesterTest extends RcScene {

    /** Code 2: 20 µs. */
    private static final int CODE = 2;

    private static final long WAIT = 20_000;

    private void send(long id) {
        device.posts(WrOpcode.SEND, id, 8);
    }

    @ParameterizedTest(name = "code {0}: {1} ms")
    @CsvSource({
        "0, 655.36", "1, 0.01", "2, 0.02", "3, 0.03", "4, 0.04", "5, 0.06", "6, 0.08", "7, 0.12",
        "8, 0.16", "9, 0.24", "10, 0.32", "11, 0.48", "12, 0.64", "13, 0.96", "14, 1.28", "15, 1.92",
        "16, 2.56", "17, 3.84", "18, 5.12", "19, 7.68", "20, 10.24", "21, 15.36", "22, 20.48", "23, 30.72",
        "24, 40.96", "25, 61.44", "26, 81.92", "27, 122.88", "28, 163.84", "29, 245.76", "30, 327.68", "31, 491.52"
    })
    @DisplayName("RNR-06: after an RNR NAK the request is sent again when the time of its code is over, not before")
    void waitsAsLongAsTold(int code, double millis) {
        connect(new Setup().withTimeout(8)); // shorter than most: it must not run meanwhile
        send(1);
        peer.expects(sendOnly(m));
        peer.sends(rnrNak(m, code).msn(0));
        peer.expectsNothing();
        passes(Math.round(millis * 1e6) - 1);
        peer.expectsNothing();
        passes(1);
        peer.expects(sendOnly(m));
        peer.expectsNothing();
    }

    @Test
    @DisplayName("RNR-07: the request that got the RNR NAK and all behind it are sent again, in order")
    void sendsAllAgain() {
        connect(new Setup());
        send(1);
        peer.expects(sendOnly(m));
        peer.sends(ack(m).msn(1));
        device.completes(1);
        send(2);
        send(3);
        device.posts(WrOpcode.RDMA_WRITE, 4, 8);
        send(5);
        peer.getsAll();
        peer.sends(rnrNak(plus(m, 2), CODE).msn(2));
        device.completes(2);
        send(6);
        peer.expectsNothing();
        passes(WAIT);
        peer.expects(sendOnly(plus(m, 2)), writeOnly(plus(m, 3)), sendOnly(plus(m, 4)), sendOnly(plus(m, 5)));
        peer.expectsNothing();
        peer.sends(ack(plus(m, 5)).msn(6));
        device.completes(3);
        device.completes(4);
        device.completes(5);
        device.completes(6);
    }

    @Test
    @DisplayName("RNR-08: rnr_retry resends, and the RNR NAK of the last one fails the request")
    void givesUp() {
        connect(new Setup().withRnrRetry(3));
        send(1);
        send(2);
        peer.expects(sendOnly(m));
        peer.sends(rnrNak(m, CODE));
        for (int resend = 1; resend <= 3; resend++) {
            peer.expectsNothing();
            passes(WAIT);
            peer.expects(sendOnly(m));
            peer.getsAll();
            peer.sends(rnrNak(m, CODE));
        }
        device.completes(1, WcStatus.RNR_RETRY_EXC_ERR);
        device.completes(2, WcStatus.WR_FLUSH_ERR);
        device.isIn(QpState.ERR);
        passes(WAIT);
        peer.expectsNothing();
    }

    @Test
    @DisplayName("RNR-09: rnr_retry 7 never gives up")
    void neverGivesUp() {
        connect(new Setup().withRnrRetry(7));
        send(1);
        for (int resend = 0; resend < 1500; resend++) {
            peer.expects(sendOnly(m));
            peer.sends(rnrNak(m, CODE));
            passes(WAIT);
        }
        peer.expects(sendOnly(m));
        peer.sends(ack(m).msn(1));
        device.completes(1);
    }

    @Test
    @DisplayName("RNR-10: a success in between starts the count anew")
    void successResets() {
        connect(new Setup().withRnrRetry(1));
        for (int i = 0; i < 4; i++) {
            send(i);
            peer.expects(sendOnly(plus(m, i)));
            peer.sends(rnrNak(plus(m, i), CODE));
            passes(WAIT);
            peer.expects(sendOnly(plus(m, i)));
            peer.sends(ack(plus(m, i)).msn(i + 1));
            device.completes(i);
        }
    }

    @Test
    @DisplayName("RNR-11: a second RNR NAK while it waits changes neither count nor time")
    void secondWhileWaiting() {
        connect(new Setup().withRnrRetry(1));
        send(1);
        peer.expects(sendOnly(m));
        peer.sends(rnrNak(m, CODE));
        passes(WAIT / 2);
        peer.sends(rnrNak(m, CODE), rnrNak(m, 20));
        device.counted(Rule.RECOVERING, 2);
        passes(WAIT / 2);
        peer.expects(sendOnly(m));
        peer.sends(ack(m).msn(1));
        device.completes(1);
    }

    @Test
    @DisplayName("RNR-12: RNR NAKs and timeouts are counted apart")
    void independentCounters() {
        connect(new Setup().withRnrRetry(2).withRetryCount(2));
        send(1);
        peer.expects(sendOnly(m));
        for (int i = 0; i < 2; i++) {
            peer.sends(rnrNak(m, CODE));
            passes(WAIT);
            peer.expects(sendOnly(m));
            passes(timeout(14));
            peer.expects(sendOnly(m));
        }
        peer.expectsNothing();
        device.completesNothing();
        peer.sends(rnrNak(m, CODE));
        device.completes(1, WcStatus.RNR_RETRY_EXC_ERR);
    }

    @Test
    @DisplayName("RNR-12: the ack timer does not run while it waits for the receiver")
    void noTimeoutWhileWaiting() {
        connect(new Setup().withRetryCount(0).withTimeout(8));
        send(1);
        peer.expects(sendOnly(m));
        peer.sends(rnrNak(m, 20)); // 10.24 ms, ten timeouts
        passes(10_240_000);
        peer.expects(sendOnly(m));
        device.completesNothing();
    }

    @Test
    @DisplayName("RNR-13: an RNR NAK of a PSN that is not outstanding is ignored")
    void ofNothing() {
        connect(new Setup().withRnrRetry(0));
        send(1);
        peer.expects(sendOnly(m));
        peer.sends(rnrNak(plus(m, 1), CODE), rnrNak(plus(m, -1), CODE));
        device.completesNothing();
        device.counted(Rule.ACK_AHEAD, 1);
        device.counted(Rule.GHOST_ACK, 1);
        passes(timeout(14));
        peer.expects(sendOnly(m));
    }

    @Test
    @DisplayName("RNR-14: rnr_retry 0 fails the request at the first RNR NAK")
    void noRetryAtAll() {
        connect(new Setup().withRnrRetry(0));
        send(1);
        peer.expects(sendOnly(m));
        peer.sends(rnrNak(m, CODE));
        device.completes(1, WcStatus.RNR_RETRY_EXC_ERR);
        device.isIn(QpState.ERR);
        passes(WAIT);
        peer.expectsNothing();
    }
}
