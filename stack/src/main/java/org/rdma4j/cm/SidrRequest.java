package org.rdma4j.cm;

import java.util.function.Consumer;
import org.rdma4j.wire.CmMad;
import org.rdma4j.wire.CmSidrRep;
import org.rdma4j.wire.CmSidrReq;
import org.rdma4j.wire.Gid;

/** A question of ours for a service's queue pair, sent until it is answered or its retries are used up. */
final class SidrRequest extends Timed {

    private final SidrTable table;
    private final Gid remote;
    private final CmMad mad;
    private final long responseNanos;
    private final Consumer<CmSidrRep> answer;
    private int retriesLeft;

    /** @param answer gets the reply, or {@code null} where none came */
    SidrRequest(
            SidrTable table,
            TimeTable times,
            Gid remote,
            CmMad mad,
            int retries,
            long responseNanos,
            Consumer<CmSidrRep> answer) {
        super(times);
        this.table = table;
        this.remote = remote;
        this.mad = mad;
        this.retriesLeft = retries;
        this.responseNanos = responseNanos;
        this.answer = answer;
    }

    int id() {
        return ((CmSidrReq) mad.message()).requestId();
    }

    Gid remote() {
        return remote;
    }

    void send(long now) {
        table.send(remote, mad);
        setDeadline(now + responseNanos);
    }

    @Override
    void onDeadline(long now) {
        if (retriesLeft-- > 0) {
            send(now);
        } else {
            table.forget(this);
            answer.accept(null);
        }
    }

    void answered(CmSidrRep rep) {
        cancel();
        answer.accept(rep);
    }

    void cancel() {
        cancelDeadline();
        table.forget(this);
    }
}
