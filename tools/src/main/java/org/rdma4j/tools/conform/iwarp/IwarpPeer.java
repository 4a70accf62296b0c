package org.rdma4j.tools.conform.iwarp;

import org.rdma4j.tools.conform.check.Peer;

/** A peer that speaks iWARP: TCP's connection is made by this, the rest is the story's. */
public interface IwarpPeer extends Peer {

    /** The hand-played side asks for the connection. */
    Session call(IwarpSetup setup);

    /** The same where the story may end the program that is asked: it is one that nobody else needs. */
    default Session callAlone(IwarpSetup setup) {
        return call(setup);
    }

    /** The peer asks for it. */
    Session answer(IwarpSetup setup);
}
