package org.rdma4j.transport;

import org.rdma4j.memory.Invalidation;
import org.rdma4j.memory.KeyTable;
import org.rdma4j.memory.Region;

/** The work requests that change keys and send no packet: LOCAL_INV, BIND_MW, REG_MR (10.6.5, 10.6.7, 10.6.6). */
public final class LocalOps {

    private LocalOps() {}

    /** Does it. @return the status of its completion */
    public static int execute(Qp qp, long request) {
        SendQueue queue = qp.sendQueue;
        KeyTable keys = qp.keys();
        return switch (queue.op(request)) {
            case Op.LOCAL_INV ->
                Invalidation.local(keys.lookup(queue.immediate(request)), qp.pd, qp)
                        ? Status.SUCCESS
                        : Status.LOC_QP_OP_ERR;
            case Op.BIND_MW -> bind(qp, queue, keys, request) ? Status.SUCCESS : Status.MW_BIND_ERR;
            case Op.REG_MR -> register(qp, queue, keys, request) ? Status.SUCCESS : Status.LOC_QP_OP_ERR;
            default -> throw new AssertionError("operation " + queue.op(request) + " is not a local one");
        };
    }

    private static boolean bind(Qp qp, SendQueue queue, KeyTable keys, long request) {
        int newKey = queue.remoteKey(request);
        Region entry = keys.lookupIndex(newKey);
        if (entry == null || entry.window() == null) {
            return false;
        }
        int access = (int) (queue.compare(request) >>> 32);
        Region region = keys.lookup((int) queue.compare(request));
        return entry.window()
                .bind(newKey, region, queue.remoteAddress(request), queue.swapOrAdd(request), access, qp, qp.pd);
    }

    private static boolean register(Qp qp, SendQueue queue, KeyTable keys, long request) {
        int newKey = queue.remoteKey(request);
        Region region = keys.lookupIndex(newKey);
        int access = (int) (queue.compare(request) >>> 32);
        return region != null && region.registerMapped(newKey, access, qp.pd);
    }
}
