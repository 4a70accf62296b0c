package org.rdma4j.pcap;

/** What a captured frame starts with, by the numbers that capture files use (the LINKTYPE_ registry of tcpdump). */
public final class LinkType {

    public static final int ETHERNET = 1;

    /** An IPv4 or IPv6 header, told apart by its version. */
    public static final int RAW = 101;

    /** Linux "cooked" capture, 16 bytes in front of the network header: what {@code tcpdump -i any} wrote. */
    public static final int LINUX_SLL = 113;

    /** Endace's record header, and behind it what its type says. */
    public static final int ERF = 197;

    public static final int IPV4 = 228;
    public static final int IPV6 = 229;

    /** A native InfiniBand packet from its LRH on. */
    public static final int INFINIBAND = 247;

    /** Linux "cooked" capture, second version, 20 bytes. */
    public static final int LINUX_SLL2 = 276;

    /** What some files have for {@link #RAW}: the number that the BSDs use inside. */
    static final int DLT_RAW = 12;

    static final int DLT_RAW_OPENBSD = 14;

    private LinkType() {}

    /** As the registry spells it, without its prefix. */
    public static String name(int linkType) {
        return switch (linkType) {
            case ETHERNET -> "ETHERNET";
            case RAW -> "RAW";
            case LINUX_SLL -> "LINUX_SLL";
            case ERF -> "ERF";
            case IPV4 -> "IPV4";
            case IPV6 -> "IPV6";
            case INFINIBAND -> "INFINIBAND";
            case LINUX_SLL2 -> "LINUX_SLL2";
            default -> "link type " + linkType;
        };
    }

    /** The registry's number for a number found in a file. */
    static int canonical(int linkType) {
        return linkType == DLT_RAW || linkType == DLT_RAW_OPENBSD ? RAW : linkType;
    }
}
