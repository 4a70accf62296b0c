package org.rdma4j.tools.conform.check;

import java.util.ArrayList;
import java.util.List;

/** A check of several connections to one responder: a good exchange on each, the story, a good exchange on the clean one. */
record IsolationCourse(IsolationStory story) implements Course {

    private static final int TROUBLED = 3;

    @Override
    public String program(Check check) {
        return check.tool();
    }

    @Override
    public void run(Peer peer, Check check, Variant variant, Trial trial) {
        RocePeer roce = peer.as(RocePeer.class);
        List<Connection> connections = new ArrayList<>();
        try {
            List<Responder> scenes = new ArrayList<>();
            for (int index = 0; index <= TROUBLED; index++) {
                Connection connection = roce.accept(check, variant);
                connections.add(connection);
                scenes.add(
                        new Responder(connection, check.service(), check.setup().minRnrTimer()));
            }
            trial.play(scenes.getFirst(), () -> {
                scenes.forEach(Responder::greet);
                story.tell(scenes.getFirst(), scenes.subList(1, scenes.size()));
            });
        } finally {
            connections.forEach(Connection::close);
        }
    }
}
