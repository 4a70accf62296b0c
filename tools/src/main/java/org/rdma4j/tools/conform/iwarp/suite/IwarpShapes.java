package org.rdma4j.tools.conform.iwarp.suite;

import java.util.function.Function;
import org.rdma4j.iwarp.craft.Ulpdu;
import org.rdma4j.iwarp.wire.TerminateCode;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.craft.Pattern;
import org.rdma4j.tools.conform.iwarp.IwarpCourse;
import org.rdma4j.tools.conform.iwarp.IwarpCourse.Start;
import org.rdma4j.tools.conform.iwarp.IwarpScene;
import org.rdma4j.tools.conform.iwarp.IwarpSetup;
import org.rdma4j.tools.conform.iwarp.IwarpStory;
import org.rdma4j.tools.conform.iwarp.MpaCraft;

/** What many checks of iWARP have in common. */
final class IwarpShapes {

    private IwarpShapes() {}

    /** How a story goes whose setup is an ordinary program's, behind a good exchange. */
    static IwarpCourse greeted(IwarpStory story) {
        return new IwarpCourse(Start.GREETED, IwarpSetup.STOCK, story);
    }

    static IwarpCourse greeted(IwarpSetup setup, IwarpStory story) {
        return new IwarpCourse(Start.GREETED, setup, story);
    }

    /** The peer waits for an MPA request. */
    static IwarpCourse called(IwarpStory story) {
        return new IwarpCourse(Start.CALLED, IwarpSetup.STOCK, story);
    }

    static IwarpCourse called(IwarpSetup setup, IwarpStory story) {
        return new IwarpCourse(Start.CALLED, setup, story);
    }

    /** The peer has asked for the connection. */
    static IwarpCourse asked(IwarpStory story) {
        return new IwarpCourse(Start.ASKED, IwarpSetup.STOCK, story);
    }

    static IwarpCourse asked(IwarpSetup setup, IwarpStory story) {
        return new IwarpCourse(Start.ASKED, setup, story);
    }

    /** A segment that ends the stream, with this code. */
    static Check refused(
            String id,
            String title,
            String clause,
            TerminateCode code,
            String stimulus,
            Function<IwarpScene, Ulpdu> wrong) {
        return refused(id, title, clause, code, stimulus, wrong, peer -> peer.flushed(0));
    }

    /** The same where something is to be looked at behind it. */
    static Check refused(
            String id,
            String title,
            String clause,
            TerminateCode code,
            String stimulus,
            Function<IwarpScene, Ulpdu> wrong,
            IwarpStory after) {
        return Check.responder(id, title)
                .clause(clause)
                .stimulus(stimulus)
                .answer("Terminate: " + code.text() + "; the stream ends, nothing is placed")
                .course(greeted(peer -> {
                    peer.refused(code, wrong.apply(peer));
                    peer.untouched(IwarpScene.SMALL, UNTOUCHED);
                    after.tell(peer);
                }));
    }

    /** Bytes of the target behind what good exchanges write. */
    private static final int UNTOUCHED = 64;

    /** A request that does not lead to a connection: it is closed without an answer. */
    static Check closed(
            String id, String title, String clause, String stimulus, Function<IwarpScene, MpaCraft> request) {
        return Check.responder(id, title)
                .clause(clause)
                .stimulus(stimulus)
                .answer("the connection is closed without an answer")
                .course(called(peer -> {
                    peer.send(request.apply(peer));
                    peer.closesWithoutAnswer();
                }));
    }

    /** A request that leads to a connection, which works. */
    static Check connects(
            String id, String title, String clause, String stimulus, Function<IwarpScene, MpaCraft> request) {
        return Check.responder(id, title)
                .clause(clause)
                .stimulus(stimulus)
                .answer("a reply that accepts; the connection works")
                .course(called(peer -> {
                    peer.establish(request.apply(peer));
                    peer.alive();
                }));
    }

    /** So many bytes that are known. */
    static byte[] bytes(int length) {
        return Pattern.of(5, length);
    }
}
