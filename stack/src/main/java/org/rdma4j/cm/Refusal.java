package org.rdma4j.cm;

import org.rdma4j.wire.PrivateData;
import org.rdma4j.wire.RejReason;

/**
 * Why a request is refused.
 *
 * @param reason for the peer's eyes
 * @param info what the standard adds to that reason, such as the path MTU that would do
 */
record Refusal(RejReason reason, PrivateData info) {

    static Refusal of(RejReason reason) {
        return new Refusal(reason, PrivateData.EMPTY);
    }
}
