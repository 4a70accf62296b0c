package org.rdma4j.tools.conform.craft;

/** A frame that a check made did not leave; the message says why. */
public final class FrameRefused extends RuntimeException {

    private static final long serialVersionUID = 1L;

    FrameRefused(String why) {
        super(why, null, false, false);
    }
}
