package org.rdma4j.tools.conform.check;

import java.util.List;

/** The way a check goes: what it opens at the peer, and what it looks at before its story and after it. */
public interface Course {

    /**
     * Goes it once.
     *
     * @param trial takes what was seen
     * @throws Outcome where the check did not end well
     */
    void run(Peer peer, Check check, Variant variant, Trial trial);

    /** Whom it can be run against. */
    default Class<? extends Peer> kind() {
        return RocePeer.class;
    }

    /** The ways in which it is run. */
    default List<Variant> variants() {
        return Variant.ALL;
    }

    /** The ordinary program that the peer runs for it; empty where none does. */
    default String program(Check check) {
        return check.service().tool();
    }
}
