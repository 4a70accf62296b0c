package org.rdma4j.tools.pingpong;

import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;
import org.rdma4j.tools.exchange.PingpongRecord;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.wire.Gid;

/** Moves a queue pair to RTS with the values that rdma-core's pingpongs over reliable connections take. */
final class Connection {

    private Connection() {}

    /**
     * Connects.
     *
     * @param psn the first PSN of this end
     * @throws ToolException where the peer gave no GID
     */
    static void connect(QueuePair qp, int psn, PingpongRecord remote, PingpongOptions options) {
        if (remote.gid().equals(Gid.ZERO)) {
            throw new ToolException(ExitStatus.FAILED, "the peer gave no GID, and RoCE needs one: start it with -g");
        }
        qp.modify(new QpAttributes()
                .state(QpState.RTR)
                .av(new AhAttributes(remote.gid(), 0, options.trafficClass(), 0, options.gidIndex))
                .pathMtu(options.mtu)
                .destQpNum(remote.qpn())
                .rqPsn(remote.psn())
                .maxDestRdAtomic(1)
                .minRnrTimer(12));
        qp.modify(new QpAttributes()
                .state(QpState.RTS)
                .sqPsn(psn)
                .timeout(14)
                .retryCount(7)
                .rnrRetry(7)
                .maxRdAtomic(1));
    }
}
