package org.rdma4j.tools.replay;

import java.time.Duration;

/** How the acted side and its live peer come to know each other's numbers: the words of the capture, said again. */
interface Introduction extends AutoCloseable {

    /** Is told what a live peer's numbers are. */
    @FunctionalInterface
    interface Meeting {
        void met(Part part, Met met);
    }

    /** Says what the acted side said, with the numbers that are true now. */
    void say(Turn turn);

    /**
     * Waits for what the peer says in the place of this.
     *
     * @throws org.rdma4j.tools.ToolException where it does not, or refuses
     */
    void hear(Turn turn, Duration limit, Meeting meeting);

    @Override
    void close();
}
