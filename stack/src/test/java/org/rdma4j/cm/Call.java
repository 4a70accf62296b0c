package org.rdma4j.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.rdma4j.wire.CmAnswered;
import org.rdma4j.wire.CmRep;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.PrivateData;
import org.rdma4j.wire.RejReason;

/** What an application does with one connection, and what it hears of it; checks that it never hears what cannot be. */
final class Call implements ConnectionListener {

    /** How it came out, as its application saw it. */
    enum Outcome {
        OPEN,
        ESTABLISHED,
        REFUSED_BY_ME,
        REJECTED,
        UNREACHABLE,
        DISCONNECTED
    }

    private final Side side;
    private final Random random;
    private final Connection connection;
    final boolean active;
    Outcome outcome = Outcome.OPEN;
    int rejectReason;
    boolean stood;
    boolean timedOut;
    boolean thoughtLong;
    boolean yielded;
    boolean timeWaitOver;
    int localQpn;
    int localPsn;
    int remoteQpn;
    int remotePsn;

    Call(Side side, Random random, Connection connection, boolean active) {
        this.side = side;
        this.random = random;
        this.connection = connection;
        this.active = active;
    }

    Connection connection() {
        return connection;
    }

    void asked(int qpn, int psn) {
        localQpn = qpn;
        localPsn = psn;
    }

    void requested(CmReq req) {
        assertEquals((byte) req.localQpn(), req.privateData().toBytes()[0], "private data of REQ");
        remoteQpn = req.localQpn();
        remotePsn = req.startingPsn();
        later(() -> {
            if (connection.state() != ConnectionState.REQ_RCVD) {
                return;
            }
            if (random.nextInt(8) == 0) {
                outcome = Outcome.REFUSED_BY_ME;
                connection.reject(
                        RejReason.CONSUMER_DEFINED,
                        PrivateData.EMPTY,
                        PrivateData.of("no"),
                        side.net().now());
            } else {
                accept();
            }
        });
    }

    private void accept() {
        if (localQpn == 0) {
            localQpn = side.freshQpn();
            localPsn = random.nextInt(1 << 24);
        }
        int depth = connection.req().responderResources();
        CmRep rep = new CmRep(
                connection.localId(),
                connection.remoteId(),
                0,
                localQpn,
                0,
                localPsn,
                0,
                connection.req().initiatorDepth(),
                depth,
                0,
                0,
                false,
                7,
                false,
                side.caGuid(),
                PrivateData.of(new byte[] {(byte) localQpn}));
        connection.accept(rep, side.net().now());
    }

    /** At once, soon, or so late that the peer has asked again several times. */
    private void later(Runnable action) {
        int choice = random.nextInt(10);
        thoughtLong |= choice == 9;
        long nanos = choice < 5 ? 1 : choice < 9 ? random.nextInt(20_000_000) : 1_000_000_000L + random.nextInt();
        side.net().after(Math.max(1, nanos), action);
    }

    @Override
    public void on(Connection told, ConnectionEvent event, long now) {
        assertEquals(connection, told);
        side.net().note(side.gid() + " " + connection + " hears " + event);
        assertFalse(timeWaitOver, () -> "an event after the end: " + event);
        switch (event) {
            case ConnectionEvent.PeerRequest peer -> {
                yielded = true;
                remoteQpn = peer.req().localQpn();
                remotePsn = peer.req().startingPsn();
                accept();
            }
            case ConnectionEvent.Reply reply -> onReply(reply.rep());
            case ConnectionEvent.Established _ -> {
                assertEquals(Outcome.OPEN, outcome);
                stands();
            }
            case ConnectionEvent.Rejected rejected -> {
                end(Outcome.REJECTED);
                rejectReason = rejected.rej().reason();
                timedOut |= rejectReason == RejReason.TIMEOUT.number();
            }
            case ConnectionEvent.Unreachable unreachable -> {
                assertEquals(active && !yielded ? CmAnswered.REQ : CmAnswered.REP, unreachable.unanswered());
                timedOut = true;
                end(Outcome.UNREACHABLE);
            }
            case ConnectionEvent.DisconnectRequest _ -> {
                later(() -> {
                    if (connection.state() == ConnectionState.DREQ_RCVD) {
                        connection.answerDisconnect(
                                PrivateData.EMPTY, side.net().now());
                    }
                });
                end(Outcome.DISCONNECTED);
            }
            case ConnectionEvent.Disconnected disconnected -> {
                timedOut |= !disconnected.answered();
                if (outcome != Outcome.DISCONNECTED) {
                    end(Outcome.DISCONNECTED);
                }
            }
            case ConnectionEvent.TimeWaitExit _ -> timeWaitOver = true;
        }
    }

    private void onReply(CmRep rep) {
        assertEquals((byte) rep.localQpn(), rep.privateData().toBytes()[0], "private data of REP");
        remoteQpn = rep.localQpn();
        remotePsn = rep.startingPsn();
        later(() -> {
            if (connection.state() != ConnectionState.REP_RCVD) {
                return;
            }
            if (random.nextInt(20) == 0) {
                outcome = Outcome.REFUSED_BY_ME;
                connection.reject(
                        RejReason.CONSUMER_DEFINED,
                        PrivateData.EMPTY,
                        PrivateData.EMPTY,
                        side.net().now());
            } else {
                connection.ready(PrivateData.EMPTY, side.net().now());
                stands();
            }
        });
    }

    private void stands() {
        stood = true;
        outcome = Outcome.ESTABLISHED;
    }

    private void end(Outcome how) {
        assertTrue(
                outcome == Outcome.OPEN || outcome == Outcome.ESTABLISHED,
                () -> connection + " ended as " + outcome + " and then as " + how);
        outcome = how;
    }

    void disconnect() {
        if (connection.state() == ConnectionState.ESTABLISHED) {
            connection.disconnect(PrivateData.EMPTY, side.net().now());
        }
    }

    @Override
    public String toString() {
        return connection + " " + outcome + (rejectReason == 0 ? "" : " " + RejReason.words(rejectReason));
    }
}
