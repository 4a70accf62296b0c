package org.rdma4j.verbs;

/** A verb was refused. The message names the thing, the value and the rule; nothing has changed. */
public final class VerbsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The errno that libibverbs would have returned. */
    public enum Errno {
        /** An argument is out of its range, or does not fit the object's state. */
        EINVAL,
        /** A queue is full, or a limit is reached. */
        ENOMEM,
        /** The object is still in use by another. */
        EBUSY,
        /** The device does not do this. */
        EOPNOTSUPP,
        /** The time given was over. */
        ETIMEDOUT
    }

    private final Errno errno;
    private final int badRequest;

    public VerbsException(Errno errno, String message) {
        super(message);
        this.errno = errno;
        this.badRequest = 0;
    }

    private VerbsException(VerbsException cause, int badRequest) {
        super("work request " + badRequest + " of the list: " + cause.getMessage(), cause);
        this.errno = cause.errno;
        this.badRequest = badRequest;
    }

    /** The same of the work request at an index of a list. */
    VerbsException at(int index) {
        return new VerbsException(this, index);
    }

    static VerbsException invalid(String format, Object... arguments) {
        return new VerbsException(Errno.EINVAL, String.format(format, arguments));
    }

    static VerbsException busy(String format, Object... arguments) {
        return new VerbsException(Errno.EBUSY, String.format(format, arguments));
    }

    static VerbsException unsupported(String format, Object... arguments) {
        return new VerbsException(Errno.EOPNOTSUPP, String.format(format, arguments));
    }

    public Errno errno() {
        return errno;
    }

    /** The index of the work request that was refused ({@code bad_wr}); those before it were posted. */
    public int badRequest() {
        return badRequest;
    }
}
