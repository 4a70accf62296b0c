package org.rdma4j.transport;

import java.util.EnumSet;
import java.util.Set;

/**
 * What a family of devices has of the verbs.
 *
 * @param transport what the family's transport is called
 * @param kinds the queue pairs that it has
 * @param operations what may be posted to a send queue: a bit for each of {@link Op}'s numbers
 * @param extendedOperations the same where both sides are known to have the family's extensions
 * @param readPieces pieces of local memory that a READ may be scattered to
 * @param multicast whether queue pairs can be attached to multicast groups
 * @param streams whether queue pairs are connected by a stream that their family opens, so that no address, path MTU or
 *     PSN of theirs can be set
 */
public record Abilities(
        String transport,
        Set<QpKind> kinds,
        long operations,
        long extendedOperations,
        int readPieces,
        boolean multicast,
        boolean streams) {

    /** The InfiniBand transport, over whatever link. */
    static final Abilities INFINIBAND =
            new Abilities("InfiniBand", EnumSet.allOf(QpKind.class), ~0L, ~0L, Integer.MAX_VALUE, true, false);

    public Abilities {
        kinds = Set.copyOf(kinds);
    }

    /** True where an operation of {@link Op} may be posted to any peer. */
    public boolean has(int operation) {
        return (operations >>> operation & 1) != 0;
    }
}
