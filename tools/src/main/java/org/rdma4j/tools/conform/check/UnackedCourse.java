package org.rdma4j.tools.conform.check;

/** A check of a responder of UC or UD: a message that is taken, the story, a message that is taken. */
record UnackedCourse(UnackedStory story) implements Course {

    @Override
    public String program(Check check) {
        return check.tool();
    }

    @Override
    public void run(Peer peer, Check check, Variant variant, Trial trial) {
        RocePeer roce = peer.as(RocePeer.class);
        boolean spent;
        try (Connection connection = roce.accept(check, variant)) {
            Unacked scene = new Unacked(connection, check);
            trial.play(scene, () -> {
                scene.greet();
                story.tell(scene);
            });
            spent = scene.isSpent();
        }
        if (spent) {
            try (Connection connection = roce.accept(check, variant)) {
                new Unacked(connection, check).greet();
            } catch (Outcome.Inconclusive e) {
                throw new Outcome.Failed("after the check the peer does not work any more: " + e.getMessage());
            }
        }
    }
}
