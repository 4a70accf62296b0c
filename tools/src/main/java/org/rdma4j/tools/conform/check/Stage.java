package org.rdma4j.tools.conform.check;

import java.util.List;
import java.util.Set;
import org.rdma4j.tools.conform.craft.Frame;

/** Where a story is played: what is left when it is over. */
public interface Stage {

    /** What was looked at. */
    Set<Oracle> oracles();

    /** What crossed the wire so far, in order. */
    List<Frame> frames();

    /** What the peer chose to do where that is open; {@code null} where nothing was. */
    String recorded();
}
