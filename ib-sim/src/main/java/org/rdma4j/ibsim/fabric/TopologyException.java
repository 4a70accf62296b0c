package org.rdma4j.ibsim.fabric;

/** A fabric cannot be so; the message names the thing. */
public final class TopologyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public TopologyException(String message) {
        super(message);
    }
}
