package org.rdma4j.link;

/** A link cannot be opened or cannot reach a peer. The message names the thing, the value and the remedy. */
public final class LinkException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What kind of trouble, so that a command can choose its exit status. */
    public enum Kind {
        /** The name is not one of a device. */
        UNKNOWN_DEVICE,
        /** Another socket has the address and port. */
        ADDRESS_IN_USE,
        /** The address is not one of this host, or the peer cannot be reached. */
        UNREACHABLE,
        /** A path MTU that the interface cannot carry. */
        MTU,
        /** This machine lacks something: a system call, a library, a privilege. */
        UNSUPPORTED,
        /** Anything else that the operating system refused. */
        IO
    }

    private final Kind kind;

    public LinkException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public LinkException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
