package org.rdma4j.tools.conform.check;

import java.util.function.Consumer;

/** A check of a connection manager that asks. */
record ActiveCourse(Consumer<CmActive> story) implements Course {

    @Override
    public void run(Peer peer, Check check, Variant variant, Trial trial) {
        try (CmEnds ends = peer.as(CmPeer.class).connect(check, variant)) {
            CmActive scene = new CmActive(ends, variant);
            trial.play(scene, () -> story.accept(scene));
        }
    }

    @Override
    public Class<? extends Peer> kind() {
        return CmPeer.class;
    }

    @Override
    public String program(Check check) {
        String tool = check.application().tool();
        return tool.isEmpty() ? "" : tool + " -s HOST";
    }
}
