package org.rdma4j.tools.conform.check;

/** What happens in a check of a requester that waits for no acknowledgement. */
@FunctionalInterface
public interface UnackedRequesterStory {

    void tell(UnackedRequester peer);
}
