package org.rdma4j.tools.conform.check;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.rdma4j.tools.conform.craft.Frame;

/** What one run of a check leaves behind, however it ends. */
public final class Trial {

    private Set<Oracle> oracles = EnumSet.noneOf(Oracle.class);
    private List<Frame> frames = List.of();
    private String recorded;

    /** Tells a story on a stage, and keeps what was seen. */
    public void play(Stage stage, Runnable story) {
        oracles = stage.oracles();
        try {
            story.run();
        } finally {
            frames = stage.frames();
        }
        recorded = stage.recorded();
    }

    Set<Oracle> oracles() {
        return oracles;
    }

    /** What crossed the wire, in order. */
    List<Frame> frames() {
        return frames;
    }

    /** What the peer chose to do where that is open; {@code null} where the check leaves nothing open. */
    String recorded() {
        return recorded;
    }
}
