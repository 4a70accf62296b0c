package org.rdma4j.wire;

/**
 * A space of port numbers of the RDMA IP CM service (annex A11): together with a port it makes a service ID.
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +---------------------------------------------------------------+
 * |                               0                               |  0
 * +-------------------------------+-------------------------------+
 * |          Port space           |             Port              |  4
 * +-------------------------------+-------------------------------+
 * </pre>
 */
public enum PortSpace {
    /** IP over InfiniBand. */
    IPOIB(0x0002),
    /** Reliable connections. */
    TCP(0x0106),
    /** Datagrams. */
    UDP(0x0111),
    /** Any. */
    IB(0x013F);

    private static final PortSpace[] ALL = values();

    private final int number;

    PortSpace(int number) {
        this.number = number;
    }

    /** As in librdmacm's {@code enum rdma_port_space}. */
    public int number() {
        return number;
    }

    public long serviceId(int port) {
        return (long) number << 16 | port & 0xFFFF;
    }

    /** The space that a service ID is in, {@code null} where in none of these. */
    public static PortSpace ofServiceId(long serviceId) {
        for (PortSpace space : ALL) {
            if (serviceId >>> 16 == space.number) {
                return space;
            }
        }
        return null;
    }

    /** The port in a service ID of one of these spaces. */
    public static int port(long serviceId) {
        return (int) serviceId & 0xFFFF;
    }

    /** A service ID in words: {@code TCP port 7174}, or its number. */
    public static String words(long serviceId) {
        PortSpace space = ofServiceId(serviceId);
        return space == null ? String.format("0x%016x", serviceId) : space + " port " + port(serviceId);
    }
}
