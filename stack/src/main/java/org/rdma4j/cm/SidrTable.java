package org.rdma4j.cm;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.CmMad;
import org.rdma4j.wire.CmSidrRep;
import org.rdma4j.wire.CmSidrReq;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.PrivateData;
import org.rdma4j.wire.SidrStatus;

/** Service ID resolutions under way, ours and those of peers (IBTA volume 1, 12.11). */
final class SidrTable {

    private static final Logger LOG = System.getLogger(SidrTable.class.getName());

    /** How long an answer is remembered, and a question waits for one: a few of Linux's timeouts of 4096 ms. */
    static final long MEMORY_NANOS = 20_000_000_000L;

    private record Question(Gid port, int requestId) {}

    private final Machine machine;
    private final TimeTable times;
    private final Map<Integer, SidrRequest> ours = new HashMap<>();
    private final Map<Question, SidrService> theirs = new HashMap<>();

    SidrTable(Machine machine, TimeTable times) {
        this.machine = machine;
        this.times = times;
    }

    /**
     * Asks a peer for a service's queue pair.
     *
     * @param answer gets the reply, or {@code null} where none came
     */
    SidrRequest ask(
            Gid remote,
            int pKey,
            long serviceId,
            PrivateData privateData,
            int retries,
            long responseNanos,
            Consumer<CmSidrRep> answer,
            long now) {
        int id;
        do {
            id = machine.freshInt();
        } while (id == 0 || ours.containsKey(id));
        CmMad mad = new CmMad(machine.freshTransactionId(), 0, new CmSidrReq(id, pKey, serviceId, privateData));
        SidrRequest request = new SidrRequest(this, times, remote, mad, retries, responseNanos, answer);
        ours.put(id, request);
        request.send(now);
        return request;
    }

    Rule onRequest(CmSidrReq req, long tid, Gid remote, long now) {
        Question question = new Question(remote, req.requestId());
        SidrService known = theirs.get(question);
        if (known != null) {
            known.again();
            return Rule.CM_DUPLICATE;
        }
        SidrService service = new SidrService(this, times, req, tid, remote);
        theirs.put(question, service);
        service.setDeadline(now + MEMORY_NANOS);
        try {
            machine.host().onResolution(service, req);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "a listener failed on a resolution for " + remote, e);
            service.refuse(SidrStatus.REJECTED, PrivateData.EMPTY, now);
        }
        return Rule.ACCEPTED;
    }

    Rule onReply(CmSidrRep rep, Gid remote, long now) {
        SidrRequest request = ours.get(rep.requestId());
        if (request == null || !request.remote().equals(remote)) {
            return Rule.CM_UNKNOWN_ID;
        }
        try {
            request.answered(rep);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "a listener failed on a resolution by " + remote, e);
        }
        return Rule.ACCEPTED;
    }

    void send(Gid remote, CmMad mad) {
        machine.send(remote, mad);
    }

    void forget(SidrRequest request) {
        ours.remove(request.id(), request);
    }

    void forget(SidrService service) {
        theirs.remove(new Question(service.remote(), service.req().requestId()), service);
    }

    int size() {
        return ours.size() + theirs.size();
    }
}
