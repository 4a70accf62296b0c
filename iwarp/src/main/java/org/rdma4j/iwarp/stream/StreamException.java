package org.rdma4j.iwarp.stream;

/** A connection is broken, or could not be made; the message says why in the operating system's words. */
public final class StreamException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public StreamException(String message) {
        super(message);
    }

    public StreamException(String message, Throwable cause) {
        super(message, cause);
    }
}
