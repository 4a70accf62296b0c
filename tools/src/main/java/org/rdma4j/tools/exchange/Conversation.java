package org.rdma4j.tools.exchange;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** How the two ends of a test speak with each other: bytes there, as many bytes back. */
public interface Conversation extends AutoCloseable {

    void write(byte[] bytes);

    /**
     * Reads so many bytes.
     *
     * @param what the thing that is awaited, for the message if it does not come
     * @throws org.rdma4j.tools.ToolException where the peer hangs up, or the time is over
     */
    byte[] read(int length, String what, Duration limit);

    /** From now on {@code work} is done while a read waits; it says whether there was anything to do, or pauses. */
    void driveWhileWaiting(BooleanSupplier work);

    /** True where the peer has hung up and nothing that it said is left to read. Does not wait. */
    boolean isOver();

    /** True where the peer has said something that was not read yet. Does not wait. */
    boolean hasInput();

    /** The peer's address, for messages. */
    String name();

    @Override
    void close();
}
