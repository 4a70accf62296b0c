package org.rdma4j.cm;

import org.rdma4j.wire.CmMad;
import org.rdma4j.wire.CmSidrRep;
import org.rdma4j.wire.CmSidrReq;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.PrivateData;
import org.rdma4j.wire.SidrStatus;

/** A peer's question for a service's queue pair, and our answer, kept for a while in case the question comes again. */
final class SidrService extends Timed {

    private final SidrTable table;
    private final CmSidrReq req;
    private final long transactionId;
    private final Gid remote;
    private CmMad reply;

    SidrService(SidrTable table, TimeTable times, CmSidrReq req, long transactionId, Gid remote) {
        super(times);
        this.table = table;
        this.req = req;
        this.transactionId = transactionId;
        this.remote = remote;
    }

    CmSidrReq req() {
        return req;
    }

    Gid remote() {
        return remote;
    }

    void answer(int qpn, int qKey, PrivateData privateData, long now) {
        reply(CmSidrRep.found(req.requestId(), qpn, req.serviceId(), qKey, privateData), now);
    }

    void refuse(SidrStatus status, PrivateData privateData, long now) {
        reply(CmSidrRep.refused(req.requestId(), status, req.serviceId(), privateData), now);
    }

    boolean isAnswered() {
        return reply != null;
    }

    private void reply(CmSidrRep rep, long now) {
        reply = new CmMad(transactionId, 0, rep);
        table.send(remote, reply);
        setDeadline(now + SidrTable.MEMORY_NANOS);
    }

    /** The question has come again. */
    void again() {
        if (reply != null) {
            table.send(remote, reply);
        }
    }

    @Override
    void onDeadline(long now) {
        table.forget(this);
    }
}
