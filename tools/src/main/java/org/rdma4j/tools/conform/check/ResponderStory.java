package org.rdma4j.tools.conform.check;

/** What happens in a check of a responder. */
@FunctionalInterface
public interface ResponderStory {

    void tell(Responder peer);
}
