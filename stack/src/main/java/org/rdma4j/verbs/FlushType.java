package org.rdma4j.verbs;

import org.rdma4j.wire.Feth;

/** Where the data of earlier WRITEs is to be when a FLUSH is answered ({@code ibv_placement_type}). */
public enum FlushType {
    /** Seen by every thread of the responder's. */
    GLOBAL(Feth.GLOBAL_VISIBILITY),

    /** In the file that the memory is mapped from. */
    PERSISTENT(Feth.PERSISTENCE),

    /** Both. */
    GLOBAL_AND_PERSISTENT(Feth.GLOBAL_VISIBILITY | Feth.PERSISTENCE);

    private final int number;

    FlushType(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }
}
