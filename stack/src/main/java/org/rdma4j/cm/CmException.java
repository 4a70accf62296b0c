package org.rdma4j.cm;

/** Connection management was asked for what cannot be, or a synchronous call failed. One line, the thing and the value. */
public final class CmException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The errno that librdmacm would have returned. */
    public enum Errno {
        /** An argument is out of its range, or does not fit the identifier's state. */
        EINVAL(22),
        /** The port is taken. */
        EADDRINUSE(98),
        /** The address is none of this device's. */
        EADDRNOTAVAIL(99),
        /** Addresses of two families. */
        EAFNOSUPPORT(97),
        /** The device cannot reach it. */
        EHOSTUNREACH(113),
        /** The peer rejects. */
        ECONNREFUSED(111),
        /** No answer. */
        ETIMEDOUT(110),
        /** A limit is reached. */
        ENOMEM(12);

        private final int number;

        Errno(int number) {
            this.number = number;
        }

        /** As an event has it: Linux' number, negative. */
        public int status() {
            return -number;
        }
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
