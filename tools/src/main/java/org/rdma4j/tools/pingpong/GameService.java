package org.rdma4j.tools.pingpong;

import org.rdma4j.tools.exchange.PingpongRecord;
import org.rdma4j.verbs.CompletionQueue;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.SendWorkRequest;

/** A transport service as a game of two queue pairs sees it. */
interface GameService {

    /** @throws org.rdma4j.tools.ToolException where the device cannot do what the options ask for */
    void require(DeviceContext device);

    QpInitAttributes queuePair(CompletionQueue cq);

    /** What takes the queue pair to INIT. */
    QpAttributes identity();

    /**
     * Takes the queue pair to RTS.
     *
     * @param psn the first PSN of this end
     * @throws org.rdma4j.tools.ToolException where the peer gave no GID
     */
    void connect(QueuePair qp, int psn, PingpongRecord remote);

    /** Bytes that stand in front of a message where it is received. */
    int headroom();

    /** Says where a message goes. */
    void aim(SendWorkRequest send);

    /** Whether what is lost is sent again. */
    boolean isReliable();

    /** The game is over. */
    void end();
}
