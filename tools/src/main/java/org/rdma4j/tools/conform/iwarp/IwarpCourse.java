package org.rdma4j.tools.conform.iwarp;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Course;
import org.rdma4j.tools.conform.check.Outcome;
import org.rdma4j.tools.conform.check.Peer;
import org.rdma4j.tools.conform.check.Trial;
import org.rdma4j.tools.conform.check.Variant;

/**
 * The way of a check of iWARP: a connection, the story, and where that ended the connection a good exchange on another one.
 *
 * @param start how far things are when the story starts
 */
public record IwarpCourse(Start start, IwarpSetup setup, IwarpStory story) implements Course {

    /** How far things are when a story starts. */
    public enum Start {
        /** The hand-played side has connected; MPA's request is the story's. */
        CALLED("rping -s -P"),
        /** So has it, MPA's setup is done and nothing was sent behind it. */
        ESTABLISHED("rping -s -P"),
        /** So it is, and a good exchange has gone before. */
        GREETED("rping -s -P"),
        /** The peer has connected, and its request is to be answered by the story. */
        ASKED("rping -c");

        private final String program;

        Start(String program) {
            this.program = program;
        }
    }

    @Override
    public Class<? extends Peer> kind() {
        return IwarpPeer.class;
    }

    @Override
    public List<Variant> variants() {
        return Variant.OF_IWARP;
    }

    @Override
    public String program(Check check) {
        return check.needs() == null ? start.program : "";
    }

    @Override
    public void run(Peer peer, Check check, Variant variant, Trial trial) {
        IwarpPeer iwarp = peer.as(IwarpPeer.class);
        boolean spent;
        try (Session session = open(iwarp, check)) {
            IwarpScene scene = new IwarpScene(session, variant.mpa());
            trial.play(scene, () -> {
                begin(scene);
                story.tell(scene);
            });
            spent = scene.isSpent();
        }
        if (spent) {
            survivor(iwarp, variant);
        }
    }

    private void begin(IwarpScene scene) {
        switch (start) {
            case CALLED, ASKED -> {}
            case ESTABLISHED -> conclusive(scene, IwarpScene::establish);
            case GREETED -> scene.greet();
        }
    }

    private static void conclusive(IwarpScene scene, Consumer<IwarpScene> setup) {
        try {
            setup.accept(scene);
        } catch (Outcome.Failed e) {
            throw new Outcome.Inconclusive("the connection before the check did not come about: " + e.getMessage());
        }
    }

    private Session open(IwarpPeer peer, Check check) {
        if (start == Start.ASKED) {
            return peer.answer(setup);
        }
        return check.isWearing() ? reached(() -> peer.callAlone(setup)) : reached(() -> peer.call(setup));
    }

    private static Session reached(Supplier<Session> call) {
        try {
            return call.get();
        } catch (UncheckedIOException e) {
            throw new Outcome.Inconclusive("no connection to the peer: " + e.getMessage());
        }
    }

    /** The check's own connection has ended: another one of the same peer still works. */
    private static void survivor(IwarpPeer peer, Variant variant) {
        try (Session session = reached(() -> peer.call(IwarpSetup.STOCK))) {
            new IwarpScene(session, variant.mpa()).greet();
        } catch (Outcome.Inconclusive e) {
            throw new Outcome.Failed("after the check the peer does not work any more: " + e.getMessage());
        }
    }
}
