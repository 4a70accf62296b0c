package org.rdma4j.tools.conform.check;

import java.util.List;

/** What happens to some connections of a peer while another one is to be none the worse for it. */
@FunctionalInterface
public interface IsolationStory {

    /** @param others behind their good exchanges, as {@code clean} is */
    void tell(Responder clean, List<Responder> others);
}
