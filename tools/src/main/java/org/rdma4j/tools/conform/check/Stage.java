package org.rdma4j.tools.conform.check;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.rdma4j.tools.conform.craft.Frame;

/** Where a story is played: how it ends, and what is left when it is over. */
public abstract class Stage {

    private final Set<Oracle> oracles = EnumSet.of(Oracle.WIRE);
    private String recorded;
    private boolean spent;

    /** What crossed the wire so far, in order. */
    public abstract List<Frame> frames();

    /** What was looked at; whoever looks at more adds it. */
    public final Set<Oracle> oracles() {
        return oracles;
    }

    /** What the peer chose to do where that is open; {@code null} where nothing was. */
    public final String recorded() {
        return recorded;
    }

    /** What the peer chose to do where the standard leaves it open. */
    public final void records(String behaviour) {
        recorded = recorded == null ? behaviour : recorded + "; " + behaviour;
    }

    /** True where the peer's end of the connection has ended with the story. */
    public final boolean isSpent() {
        return spent;
    }

    /** The peer's end of the connection is not of use any more. */
    public final void spend() {
        spent = true;
    }

    protected static Outcome.Failed failed(String reason) {
        return new Outcome.Failed(reason);
    }

    /** The story ends here, wrong, unless this holds. */
    public final void require(boolean holds, String otherwise) {
        if (!holds) {
            throw failed(otherwise);
        }
    }
}
