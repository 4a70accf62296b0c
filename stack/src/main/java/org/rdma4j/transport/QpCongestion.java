package org.rdma4j.transport;

import org.rdma4j.congestion.Dcqcn;
import org.rdma4j.congestion.ReactionPoint;
import org.rdma4j.link.Link;
import org.rdma4j.link.Route;
import org.rdma4j.link.RouteAttributes;

/** What congestion control knows of one connected queue pair: the rate that it sends at, and when its peer was last told. */
final class QpCongestion {

    private static final long NEVER = Long.MAX_VALUE;

    private final IbQp qp;
    private final Dcqcn settings;
    private final ReactionPoint sender;
    private long wakeAt = NEVER;
    private long mayTellFrom = Long.MIN_VALUE;
    private Route route; // of data, which the CNPs' was made from
    private Route cnpRoute;

    // The engine's own fields: membership in its list of those that owe a CNP.
    QpCongestion nextOwing;
    boolean owes;

    QpCongestion(IbQp qp, Dcqcn settings, long now) {
        this.qp = qp;
        this.settings = settings;
        this.sender = new ReactionPoint(settings, now);
    }

    IbQp qp() {
        return qp;
    }

    /** A CNP has come. */
    void onCnp(long now) {
        sender.onCnp(now);
    }

    /** @return how much of a turn's budget may leave now; 0 where the queue pair is to wait for {@link #deadline} */
    int allowance(long now, int budget) {
        int allowed = sender.allowance(now, budget);
        wakeAt = allowed == 0 ? sender.nextAllowance() : NEVER;
        return allowed;
    }

    void sent(int bytes) {
        sender.sent(bytes);
    }

    /** It has more to send than its rate lets out now. */
    void waitForRate() {
        wakeAt = sender.nextAllowance();
    }

    /** When the queue pair is to get a turn; {@link Long#MAX_VALUE} where it does not wait for its rate. */
    long deadline() {
        return wakeAt;
    }

    /** @return true once where the deadline has passed */
    boolean wakes(long now) {
        if (wakeAt > now) {
            return false;
        }
        wakeAt = NEVER;
        return true;
    }

    /** A marked packet has come. @return true where its sender is to be told so now */
    boolean mayTell(long now) {
        return !owes && qp.config.route != null && now >= mayTellFrom;
    }

    void tell(long now) {
        mayTellFrom = now + settings.cnpInterval();
    }

    /** The way of CNPs: that of data, in a class of their own. */
    Route cnpRoute(Link link) {
        Route data = qp.config.route;
        if (data != route) {
            RouteAttributes attributes = data.attributes();
            cnpRoute = link.route(new RouteAttributes(
                    attributes.remote(),
                    attributes.udpSourcePort(),
                    settings.cnpTrafficClass(),
                    attributes.hopLimit()));
            route = data;
        }
        return cnpRoute;
    }
}
