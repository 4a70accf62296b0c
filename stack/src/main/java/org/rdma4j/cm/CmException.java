package org.rdma4j.cm;

/** Connection management was asked for what cannot be, or a synchronous call failed. One line, the thing and the value. */
public final class CmException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The errno that librdmacm would have returned. */
    public enum Errno {
        /** An argument is out of its range, or does not fit the identifier's state. */
        EINVAL,
        /** The port is taken. */
        EADDRINUSE,
        /** The address is none of this device's. */
        EADDRNOTAVAIL,
        /** Addresses of two families. */
        EAFNOSUPPORT,
        /** The device cannot reach it. */
        EHOSTUNREACH,
        /** The peer rejects. */
        ECONNREFUSED,
        /** No answer. */
        ETIMEDOUT,
        /** A limit is reached. */
        ENOMEM
    }

    private final Errno errno;

    public CmException(Errno errno, String message) {
        super(message);
        this.errno = errno;
    }

    static CmException invalid(String format, Object... arguments) {
        return new CmException(Errno.EINVAL, String.format(format, arguments));
    }

    /** A value from 0 to {@code most}. */
    static void requireRange(String what, int value, int most) {
        if (value < 0 || value > most) {
            throw invalid("%s is 0 to %d, not %d", what, most, value);
        }
    }

    public Errno errno() {
        return errno;
    }
}
