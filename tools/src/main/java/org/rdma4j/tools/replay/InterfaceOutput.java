package org.rdma4j.tools.replay;

import org.rdma4j.rocev2.capture.FrameInjection;

/** Out of an interface, whole frames as they are. */
final class InterfaceOutput implements FrameOutput {

    private final FrameInjection injection;
    private final Pacing pacing;

    InterfaceOutput(FrameInjection injection, Pacing pacing) {
        this.injection = injection;
        this.pacing = pacing;
    }

    @Override
    public String send(long captured, Rewritten frame) {
        pacing.await(captured);
        return injection.send(frame.bytes());
    }

    @Override
    public void close() {
        injection.close();
    }
}
