package org.rdma4j.verbs;

import java.util.concurrent.atomic.AtomicInteger;
import org.rdma4j.transport.Srq;

/**
 * An XRC domain ({@code struct ibv_xrcd}): shared receive queues that messages name by their number, and the queue pairs
 * (XRC_RECV) that messages for them come to.
 */
public final class XrcDomain implements AutoCloseable {

    private final DeviceContext device;
    private final int number;
    private final ProtectionDomain none; // of its queue pairs: what a message may touch its shared queue's domain says
    private final CompletionQueue nowhere;
    private final AtomicInteger users = new AtomicInteger();
    private boolean closed;

    XrcDomain(DeviceContext device, int number) {
        this.device = device;
        this.number = number;
        this.none = device.allocPd();
        this.nowhere = device.createCq(1);
    }

    public DeviceContext device() {
        return device;
    }

    int number() {
        return number;
    }

    /**
     * Creates a queue pair of type XRC_RECV in RESET ({@code ibv_create_qp_ex} with an xrcd): the target of one of the peer's
     * of type XRC_SEND. It has no queues of its own.
     */
    public QueuePair createQp() {
        requireOpen();
        return QueuePair.create(none, QpInitAttributes.xrcReceive(nowhere), this);
    }

    /** Numbers a shared queue. */
    int add(Srq srq, CompletionQueue cq) {
        int[] srqn = new int[1];
        device.control(() -> srqn[0] = device.infiniband("XRC").addXrcSrq(srq, number, cq.ring()));
        return srqn[0];
    }

    void remove(int srqn) {
        device.control(() -> device.infiniband("XRC").removeXrcSrq(srqn));
    }

    void requireOpen() {
        if (closed) {
            throw VerbsException.invalid("the XRC domain was closed");
        }
    }

    void adopt() {
        users.incrementAndGet();
    }

    void release() {
        users.decrementAndGet();
    }

    /**
     * Closes it ({@code ibv_close_xrcd}).
     *
     * @throws VerbsException EBUSY while queue pairs or shared receive queues are in it
     */
    @Override
    public void close() {
        if (users.get() > 0) {
            throw VerbsException.busy(
                    "the XRC domain still holds %d queue pairs and shared receive queues", users.get());
        }
        if (!closed) {
            closed = true;
            nowhere.close();
            none.close();
        }
    }
}
