package org.rdma4j.tools.conform.check;

/** What happens in a check of a requester. */
@FunctionalInterface
public interface RequesterStory {

    void play(Requester peer);
}
