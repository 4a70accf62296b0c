package org.rdma4j.tools.conform.craft;

import org.rdma4j.wire.CmApr;
import org.rdma4j.wire.CmDrep;
import org.rdma4j.wire.CmDreq;
import org.rdma4j.wire.CmLap;
import org.rdma4j.wire.CmMessage;
import org.rdma4j.wire.CmMra;
import org.rdma4j.wire.CmRej;
import org.rdma4j.wire.CmRep;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.CmRtu;
import org.rdma4j.wire.CmSidrRep;
import org.rdma4j.wire.CmSidrReq;

/**
 * The communication IDs of a message of the peer's.
 *
 * @param ours the addressee's; 0 where it has none yet, or the message names none
 * @param theirs the sender's; 0 where it has none
 */
public record CmNames(int ours, int theirs) {

    public static CmNames of(CmMessage message) {
        return switch (message) {
            case CmReq req -> new CmNames(0, req.localCommId());
            case CmSidrReq _ -> new CmNames(0, 0);
            case CmSidrRep rep -> new CmNames(rep.requestId(), 0);
            case CmMra mra -> new CmNames(mra.remoteCommId(), mra.localCommId());
            case CmRej rej -> new CmNames(rej.remoteCommId(), rej.localCommId());
            case CmRep rep -> new CmNames(rep.remoteCommId(), rep.localCommId());
            case CmRtu rtu -> new CmNames(rtu.remoteCommId(), rtu.localCommId());
            case CmDreq dreq -> new CmNames(dreq.remoteCommId(), dreq.localCommId());
            case CmDrep drep -> new CmNames(drep.remoteCommId(), drep.localCommId());
            case CmLap lap -> new CmNames(lap.remoteCommId(), lap.localCommId());
            case CmApr apr -> new CmNames(apr.remoteCommId(), apr.localCommId());
        };
    }
}
