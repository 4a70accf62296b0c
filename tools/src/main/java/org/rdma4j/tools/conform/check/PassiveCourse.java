package org.rdma4j.tools.conform.check;

import java.util.function.Consumer;
import org.rdma4j.wire.CmSidrRep;

/** A check of a connection manager that is asked: the story, and behind it a good exchange from elsewhere with the same program. */
record PassiveCourse(Consumer<CmPassive> story) implements Course {

    @Override
    public void run(Peer peer, Check check, Variant variant, Trial trial) {
        try (CmEnds ends = peer.as(CmPeer.class).listen(check, variant);
                CmPassive scene = new CmPassive(ends, variant)) {
            trial.play(scene, () -> story.accept(scene));
            if (!check.isWearing()) {
                survivor(ends, variant, check.application());
            }
        }
    }

    private static void survivor(CmEnds ends, Variant variant, Application application) {
        try (CmEnds another = ends.another();
                CmPassive scene = new CmPassive(another, variant)) {
            if (application.datagrams()) {
                scene.resolve(scene.datagrams());
                scene.due(CmSidrRep.class);
            } else {
                scene.connect(scene.req());
                scene.disconnected();
            }
        } catch (Outcome.Failed e) {
            throw new Outcome.Failed("after the check the peer answers no more: " + e.getMessage());
        }
    }

    @Override
    public Class<? extends Peer> kind() {
        return CmPeer.class;
    }

    @Override
    public String program(Check check) {
        return check.application().tool();
    }
}
