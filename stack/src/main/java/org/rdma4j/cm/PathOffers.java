package org.rdma4j.cm;

import java.util.concurrent.CompletableFuture;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.CmApr;
import org.rdma4j.wire.CmLap;
import org.rdma4j.wire.CmMad;
import org.rdma4j.wire.CmPath;
import org.rdma4j.wire.PrivateData;

/** Alternate paths of one connection that stands: LAP from the side that asked for it, APR from the other (12.8). */
final class PathOffers {

    private final Connection connection;

    // Ours.
    private CmMad offer; // null where none is out
    private CompletableFuture<Void> answer;
    private int retriesLeft;

    // The peer's: the last one, and what it was answered.
    private long heardTransaction;
    private CmMad heardAnswer;

    PathOffers(Connection connection) {
        this.connection = connection;
    }

    boolean isOut() {
        return offer != null;
    }

    CompletableFuture<Void> send(CmPath path, long transaction, long now) {
        CmLap lap = new CmLap(
                connection.localId(),
                connection.remoteId(),
                connection.remoteQpn(),
                CmPaths.RESPONSE_TIMEOUT,
                path,
                PrivateData.EMPTY);
        offer = new CmMad(transaction, 0, lap);
        answer = new CompletableFuture<>();
        retriesLeft = connection.req().maxCmRetries();
        connection.send(offer);
        connection.awaitAnswer(now);
        return answer;
    }

    void onDeadline(long now) {
        if (offer == null) {
            return;
        }
        if (retriesLeft-- > 0) {
            connection.send(offer);
            connection.awaitAnswer(now);
        } else {
            fail(CmException.Errno.ETIMEDOUT, "no answer to the offer of an alternate path");
        }
    }

    Rule onAnswer(CmApr apr, long transaction) {
        if (offer == null || offer.transactionId() != transaction) {
            return Rule.CM_WRONG_STATE;
        }
        connection.answered();
        if (apr.status() == CmApr.LOADED) {
            offer = null;
            answer.complete(null);
        } else {
            fail(
                    CmException.Errno.ECONNREFUSED,
                    "the peer does not take the alternate path: status " + CmApr.words(apr.status()));
        }
        return Rule.ACCEPTED;
    }

    /** The connection stands no more. */
    void end() {
        if (offer != null) {
            fail(CmException.Errno.ECONNREFUSED, "the connection has ended");
        }
    }

    private void fail(CmException.Errno errno, String why) {
        offer = null;
        answer.completeExceptionally(new CmException(errno, why));
    }

    Rule onOffer(CmLap lap, long transaction, ConnectionListener listener) {
        boolean again = heardAnswer != null && heardTransaction == transaction;
        if (!again) {
            int status = lap.remoteQpn() == connection.localQpn()
                    ? listener.onAlternatePath(lap.alternatePath())
                    : CmApr.INVALID_QPN;
            CmApr apr = new CmApr(
                    connection.localId(), connection.remoteId(), 0, status, PrivateData.EMPTY, PrivateData.EMPTY);
            heardTransaction = transaction;
            heardAnswer = new CmMad(transaction, 0, apr);
        }
        connection.send(heardAnswer);
        return again ? Rule.CM_DUPLICATE : Rule.ACCEPTED;
    }
}
