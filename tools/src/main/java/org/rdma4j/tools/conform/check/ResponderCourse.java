package org.rdma4j.tools.conform.check;

/** A check of a responder: a good exchange, the story, a good exchange; where the story ends the queue pair, on another. */
record ResponderCourse(ResponderStory story) implements Course {

    @Override
    public void run(Peer peer, Check check, Variant variant, Trial trial) {
        RocePeer roce = peer.as(RocePeer.class);
        boolean spent;
        try (Connection connection = roce.accept(check, variant)) {
            Responder scene = scene(connection, check);
            trial.play(scene, () -> {
                scene.greet();
                story.tell(scene);
            });
            spent = scene.isSpent();
        }
        if (spent) {
            survivor(roce, check, variant);
        }
    }

    /** The check's own queue pair has ended: another one of the same peer still works. */
    private static void survivor(RocePeer peer, Check check, Variant variant) {
        try (Connection connection = peer.accept(check, variant)) {
            scene(connection, check).greet();
        } catch (Outcome.Inconclusive e) {
            throw new Outcome.Failed("after the check the peer does not work any more: " + e.getMessage());
        }
    }

    private static Responder scene(Connection connection, Check check) {
        return new Responder(connection, check.service(), check.setup().minRnrTimer());
    }
}
