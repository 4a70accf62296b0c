package org.rdma4j.tools.conform.check;

/** Who is under test. What it can be asked for beyond its name is told by the kinds of peer that it is. */
public interface Peer extends AutoCloseable {

    /** For people. */
    String name();

    /** What does not apply to this peer in general; {@code null} where it does. */
    String excludes(Check check, Variant variant);

    /** How often a check that fails may be run in all. */
    default int tries() {
        return 1;
    }

    /** Whether {@link #as} gives one. */
    default boolean is(Class<? extends Peer> kind) {
        return kind.isInstance(this);
    }

    /**
     * The peer as one of this kind.
     *
     * @throws Outcome.NotApplicable where it is none
     */
    default <K extends Peer> K as(Class<K> kind) {
        if (!is(kind)) {
            throw new Outcome.NotApplicable("this peer is no " + kind.getSimpleName());
        }
        return kind.cast(this);
    }

    @Override
    void close();
}
