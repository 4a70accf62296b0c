package org.rdma4j.tools.conform.check;

/** Who is under test. */
public interface Peer extends AutoCloseable {

    /** For people. */
    String name();

    /** A responder: a new queue pair of the peer's for a check, connected to a line of ours. */
    Connection accept(Check check, Variant variant);

    /** A requester: starts the check's work towards a line of ours. */
    Connection ask(Check check, Variant variant);

    /** What does not apply to this peer in general; {@code null} where it does. */
    String excludes(Check check, Variant variant);

    /** How often a check that fails may be run in all. */
    default int tries() {
        return 1;
    }

    @Override
    void close();
}
