package org.rdma4j.tools.conform.craft;

import org.rdma4j.wire.CmRep;
import org.rdma4j.wire.PrivateData;

/** A reply to a request for a connection, right unless it is told to be wrong. */
public final class CraftedRep {

    private static final long GUID = 0x0202_C9FF_FE00_0001L;
    private static final int ACK_DELAY = 15;

    private final int commId;
    private int peersId;
    private int qpn;
    private final int psn;
    private int responderResources;
    private int initiatorDepth;
    private int rnrRetries = 7;
    private PrivateData said = PrivateData.EMPTY;

    /** @param psn where the peer shall start */
    public CraftedRep(int commId, int peersId, int qpn, int psn, int responderResources, int initiatorDepth) {
        this.commId = commId;
        this.peersId = peersId;
        this.qpn = qpn;
        this.psn = psn;
        this.responderResources = responderResources;
        this.initiatorDepth = initiatorDepth;
    }

    public CraftedRep to(int id) {
        peersId = id;
        return this;
    }

    public CraftedRep qpn(int value) {
        qpn = value;
        return this;
    }

    /** READs and atomics: those of the peer's that we take, and those of ours. */
    public CraftedRep resources(int asResponder, int asInitiator) {
        responderResources = asResponder;
        initiatorDepth = asInitiator;
        return this;
    }

    public CraftedRep rnrRetries(int count) {
        rnrRetries = count;
        return this;
    }

    public CraftedRep says(PrivateData data) {
        said = data;
        return this;
    }

    public CmRep toRep() {
        return new CmRep(
                commId,
                peersId,
                0,
                qpn,
                0,
                psn,
                0,
                responderResources,
                initiatorDepth,
                ACK_DELAY,
                0,
                false,
                rnrRetries,
                false,
                GUID,
                said);
    }
}
