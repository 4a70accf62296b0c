package org.rdma4j.cm;

import org.rdma4j.wire.CmAnswered;
import org.rdma4j.wire.CmRej;
import org.rdma4j.wire.CmRep;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.PrivateData;

/** What the state machine tells about a connection. */
sealed interface ConnectionEvent {

    /** Both sides asked each other, and the peer is the one whose request counts: {@link Connection#accept} it. */
    record PeerRequest(CmReq req) implements ConnectionEvent {}

    /** The peer accepts: {@link Connection#ready} or {@link Connection#reject}. */
    record Reply(CmRep rep) implements ConnectionEvent {}

    /** The connection stands. */
    record Established(PrivateData privateData) implements ConnectionEvent {}

    /** The peer does not want it, or no longer. */
    record Rejected(CmRej rej) implements ConnectionEvent {}

    /** No answer, and all retries are used up. */
    record Unreachable(CmAnswered unanswered) implements ConnectionEvent {}

    /** The peer ends it: {@link Connection#answerDisconnect}. */
    record DisconnectRequest(PrivateData privateData) implements ConnectionEvent {}

    /** What {@link Connection#disconnect} asked for is done, whether the peer has answered or not. */
    record Disconnected(boolean answered, PrivateData privateData) implements ConnectionEvent {}

    /** Nothing of it can come any more; its queue pair may be used again. */
    record TimeWaitExit() implements ConnectionEvent {}
}
