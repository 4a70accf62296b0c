package org.rdma4j.tools.conform.iwarp;

import java.util.function.UnaryOperator;
import org.rdma4j.iwarp.mpa.MpaSettings;

/**
 * How the peer's end of a connection is set up, where a check needs more than an ordinary program's; every {@code with…}
 * gives a changed copy.
 *
 * @param mpa changes what it wants of MPA
 * @param ird READs that it takes on at once
 * @param ord READs that it may have outstanding
 * @param receives how many receives are posted
 * @param rejects its application says no
 */
public record IwarpSetup(UnaryOperator<MpaSettings> mpa, int ird, int ord, int receives, boolean rejects) {

    /** Bytes of a receive: those of rping's messages. */
    public static final int RECEIVE_SIZE = 16;

    public static final IwarpSetup STOCK = new IwarpSetup(UnaryOperator.identity(), 2, 2, 4, false);

    public IwarpSetup withMpa(UnaryOperator<MpaSettings> change) {
        return new IwarpSetup(change, ird, ord, receives, rejects);
    }

    public IwarpSetup withDepths(int asResponder, int asRequester) {
        return new IwarpSetup(mpa, asResponder, asRequester, receives, rejects);
    }

    public IwarpSetup withReceives(int count) {
        return new IwarpSetup(mpa, ird, ord, count, rejects);
    }

    public IwarpSetup thatRejects() {
        return new IwarpSetup(mpa, ird, ord, receives, true);
    }
}
