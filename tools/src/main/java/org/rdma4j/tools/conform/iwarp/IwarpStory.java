package org.rdma4j.tools.conform.iwarp;

/** What happens in a check of iWARP. */
@FunctionalInterface
public interface IwarpStory {

    void tell(IwarpScene peer);
}
