package org.rdma4j.transport;

import org.rdma4j.wire.Psn;
import org.rdma4j.wire.Syndrome;

/** End-to-end flow control as the requester sees it (9.7.7.2): how far the receives reach that the responder has. */
final class Credits {

    private boolean unlimited;
    private int limitSsn; // LSN: MSN + credits of the newest acknowledgement

    /** Before the first acknowledgement nothing is known. */
    void reset() {
        unlimited = false;
        limitSsn = 0;
    }

    /** What an acknowledgement says. */
    void take(int syndrome, int msn) {
        int code = Syndrome.value(syndrome);
        unlimited = code == Syndrome.NO_CREDITS;
        if (!unlimited) {
            limitSsn = Psn.add(msn, Syndrome.credits(code));
        }
    }

    /** A request that uses up a receive may go where its SSN is at most one past the limit (9.7.7.2.5). */
    boolean allow(int ssn) {
        return unlimited || Psn.difference(ssn, limitSsn) <= 1;
    }
}
