package org.rdma4j.tools.conform.check;

/** What happens in a check of a responder that acknowledges nothing. */
@FunctionalInterface
public interface UnackedStory {

    void tell(Unacked peer);
}
