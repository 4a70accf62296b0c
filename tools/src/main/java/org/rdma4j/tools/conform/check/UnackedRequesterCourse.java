package org.rdma4j.tools.conform.check;

/** A check of a requester of UC or UD: its work is the exchange. */
record UnackedRequesterCourse(UnackedRequesterStory story) implements Course {

    @Override
    public String program(Check check) {
        return check.tool() + ", " + check.work(Variant.USUAL.mtu()) + " at MTU 1024";
    }

    @Override
    public void run(Peer peer, Check check, Variant variant, Trial trial) {
        try (Connection connection = peer.as(RocePeer.class).ask(check, variant)) {
            UnackedRequester scene = new UnackedRequester(connection, check.type(), check.work(variant.mtu()));
            trial.play(scene, () -> story.tell(scene));
        }
    }
}
