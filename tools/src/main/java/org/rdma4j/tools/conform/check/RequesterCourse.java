package org.rdma4j.tools.conform.check;

/** A check of a requester: its work is the exchange. */
record RequesterCourse(RequesterStory story) implements Course {

    @Override
    public void run(Peer peer, Check check, Variant variant, Trial trial) {
        try (Connection connection = peer.as(RocePeer.class).ask(check, variant)) {
            Requester scene = new Requester(connection, check.work(variant.mtu()));
            trial.play(scene, () -> story.play(scene));
        }
    }

    @Override
    public String program(Check check) {
        Work work = check.work(Variant.USUAL.mtu());
        return work.op().tool() + ", " + work + " at MTU " + Variant.USUAL.mtu();
    }
}
