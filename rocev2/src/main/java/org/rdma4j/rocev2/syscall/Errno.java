package org.rdma4j.rocev2.syscall;

/** Error numbers of Linux, and their words. */
public final class Errno {

    public static final int EPERM = 1;
    public static final int EINTR = 4;
    public static final int EIO = 5;
    public static final int EBADF = 9;
    public static final int EAGAIN = 11;
    public static final int ENOMEM = 12;
    public static final int EACCES = 13;
    public static final int EINVAL = 22;
    public static final int EMFILE = 24;
    public static final int EMSGSIZE = 90;
    public static final int ENOPROTOOPT = 92;
    public static final int EOPNOTSUPP = 95;
    public static final int EAFNOSUPPORT = 97;
    public static final int EADDRINUSE = 98;
    public static final int EADDRNOTAVAIL = 99;
    public static final int ENETDOWN = 100;
    public static final int ENETUNREACH = 101;
    public static final int ENOBUFS = 105;
    public static final int ECONNREFUSED = 111;
    public static final int EHOSTUNREACH = 113;

    private Errno() {}

    /** {@code "EADDRINUSE: address already in use"}; the bare number where it is not one of those above. */
    public static String words(int errno) {
        return switch (errno) {
            case EPERM -> "EPERM: operation not permitted";
            case EINTR -> "EINTR: interrupted";
            case EIO -> "EIO: input/output error";
            case EBADF -> "EBADF: bad file descriptor";
            case EAGAIN -> "EAGAIN: try again";
            case ENOMEM -> "ENOMEM: out of memory";
            case EACCES -> "EACCES: permission denied";
            case EINVAL -> "EINVAL: invalid argument";
            case EMFILE -> "EMFILE: too many open files";
            case EMSGSIZE -> "EMSGSIZE: message too long";
            case ENOPROTOOPT -> "ENOPROTOOPT: option not available";
            case EOPNOTSUPP -> "EOPNOTSUPP: operation not supported";
            case EAFNOSUPPORT -> "EAFNOSUPPORT: address family not supported";
            case EADDRINUSE -> "EADDRINUSE: address already in use";
            case EADDRNOTAVAIL -> "EADDRNOTAVAIL: not an address of this host";
            case ENETDOWN -> "ENETDOWN: network is down";
            case ENETUNREACH -> "ENETUNREACH: network is unreachable";
            case ENOBUFS -> "ENOBUFS: no buffer space";
            case ECONNREFUSED -> "ECONNREFUSED: connection refused";
            case EHOSTUNREACH -> "EHOSTUNREACH: no route to host";
            default -> "errno " + errno;
        };
    }
}
