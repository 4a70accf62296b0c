package org.rdma4j.verbs;

import java.util.concurrent.atomic.AtomicInteger;
import org.rdma4j.transport.Srq;

/**
 * A shared receive queue ({@code struct ibv_srq}): receives for many queue pairs, used in the order of posting by
 * whichever of them a message comes for. Any thread posts, without a lock and without allocation.
 */
public final class SharedReceiveQueue implements AutoCloseable {

    private final ProtectionDomain pd;
    private final XrcDomain domain; // null where it is of the basic kind; so is the completion queue then
    private final CompletionQueue cq;
    private final Srq srq;
    private final int number;
    private final AtomicInteger users = new AtomicInteger();
    private boolean closed;

    /**
     * What {@code ibv_query_srq} tells.
     *
     * @param maxWr receives that may wait
     * @param maxSge pieces of memory a receive
     * @param limit the armed limit; 0 for none
     */
    public record Attributes(int maxWr, int maxSge, int limit) {}

    private SharedReceiveQueue(ProtectionDomain pd, int maxWr, int maxSge, XrcDomain domain, CompletionQueue cq) {
        this.pd = pd;
        this.domain = domain;
        this.cq = cq;
        this.srq = new Srq(
                maxWr,
                maxSge,
                pd.number(),
                () -> pd.device().raise(AsyncEvent.of(AsyncEventType.SRQ_LIMIT_REACHED, this)));
        this.number = domain == null ? 0 : domain.add(srq, cq);
    }

    static SharedReceiveQueue create(ProtectionDomain pd, int maxWr, int maxSge) {
        checkSizes(maxWr, maxSge);
        pd.adopt();
        return new SharedReceiveQueue(pd, maxWr, maxSge, null, null);
    }

    static SharedReceiveQueue createXrc(
            ProtectionDomain pd, int maxWr, int maxSge, XrcDomain domain, CompletionQueue cq) {
        checkSizes(maxWr, maxSge);
        pd.adopt();
        domain.adopt();
        cq.adopt();
        return new SharedReceiveQueue(pd, maxWr, maxSge, domain, cq);
    }

    private static void checkSizes(int maxWr, int maxSge) {
        checkDepth(maxWr);
        int mostSge = DeviceAttributes.SOFTWARE.maxSrqSge();
        if (maxSge < 1 || maxSge > mostSge) {
            throw VerbsException.invalid("max_sge of a shared receive queue is 1 to %d, not %d", mostSge, maxSge);
        }
    }

    private static void checkDepth(int maxWr) {
        int most = DeviceAttributes.SOFTWARE.maxSrqWr();
        if (maxWr < 1 || maxWr > most) {
            throw VerbsException.invalid("max_wr of a shared receive queue is 1 to %d, not %d", most, maxWr);
        }
    }

    /** What XRC messages name it by ({@code ibv_get_srq_num}), 24 bits; 0 where it is not of that kind. */
    public int number() {
        return number;
    }

    /** True where XRC messages name it; no queue pair is attached to it then. */
    boolean isXrc() {
        return domain != null;
    }

    public ProtectionDomain pd() {
        return pd;
    }

    DeviceContext device() {
        return pd.device();
    }

    Srq srq() {
        return srq;
    }

    /**
     * Posts a receive ({@code ibv_post_srq_recv}).
     *
     * @throws VerbsException EINVAL with too many pieces, ENOMEM where the queue is full
     */
    public void post(ReceiveWorkRequest wr) {
        if (wr.count() > srq.maxPieces()) {
            throw VerbsException.invalid("%d scatter elements, max_sge is %d", wr.count(), srq.maxPieces());
        }
        long position = srq.claim();
        if (position < 0) {
            throw new VerbsException(
                    VerbsException.Errno.ENOMEM, "the shared receive queue's " + srq.capacity() + " entries are taken");
        }
        srq.write(position, wr.wrId());
        for (int piece = 0; piece < wr.count(); piece++) {
            srq.addPiece(position, wr.address(piece), wr.length(piece), wr.key(piece));
        }
        srq.publish(position);
    }

    /**
     * Arms the limit ({@code ibv_modify_srq} with {@code IBV_SRQ_LIMIT}): SRQ_LIMIT_REACHED comes once, when a message
     * leaves fewer receives than that or finds none; then the limit is 0 until it is armed again.
     *
     * @param receives 0 disarms
     * @throws VerbsException EINVAL above max_wr
     */
    public void armLimit(int receives) {
        device().control(() -> {
            if (receives < 0 || receives > srq.capacity()) {
                throw VerbsException.invalid("srq_limit is 0 to max_wr, %d, not %d", srq.capacity(), receives);
            }
            srq.armLimit(receives);
        });
    }

    /**
     * Changes how many receives may wait ({@code ibv_modify_srq} with {@code IBV_SRQ_MAX_WR}); others may post meanwhile.
     *
     * @throws VerbsException EINVAL where more wait, or the armed limit is above it
     */
    public void resize(int maxWr) {
        checkDepth(maxWr);
        device().control(() -> {
            if (maxWr < srq.limit()) {
                throw VerbsException.invalid("max_wr %d is below the armed srq_limit, %d", maxWr, srq.limit());
            }
            if (!srq.resize(maxWr)) {
                throw VerbsException.invalid("%d receives wait, a queue of %d cannot hold them", srq.size(), maxWr);
            }
        });
    }

    /** As it is now ({@code ibv_query_srq}). */
    public Attributes query() {
        Attributes[] now = new Attributes[1];
        device().control(() -> now[0] = new Attributes(srq.capacity(), srq.maxPieces(), srq.limit()));
        return now[0];
    }

    void requireOpen() {
        if (closed) {
            throw VerbsException.invalid("the shared receive queue was destroyed");
        }
    }

    void adopt() {
        users.incrementAndGet();
    }

    void release() {
        users.decrementAndGet();
    }

    /**
     * Destroys it ({@code ibv_destroy_srq}) with the receives that wait in it.
     *
     * @throws VerbsException EBUSY while queue pairs are attached
     */
    @Override
    public void close() {
        if (users.get() > 0) {
            throw VerbsException.busy("the shared receive queue is still used by %d queue pairs", users.get());
        }
        if (!closed) {
            closed = true;
            if (isXrc()) {
                domain.remove(number);
                domain.release();
                cq.release();
            }
            pd.release();
        }
    }
}
