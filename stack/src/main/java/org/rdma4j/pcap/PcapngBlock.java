package org.rdma4j.pcap;

/** The numbers of the pcapng format (IETF draft-ietf-opsawg-pcapng) that reader and writer share. */
final class PcapngBlock {

    static final int SECTION_HEADER = 0x0A0D_0D0A;
    static final int INTERFACE_DESCRIPTION = 1;

    /** The old packet block; nobody writes it any more. */
    static final int PACKET = 2;

    static final int SIMPLE_PACKET = 3;
    static final int ENHANCED_PACKET = 6;

    static final int BYTE_ORDER_MAGIC = 0x1A2B_3C4D;

    /** Type and length in front, length again behind. */
    static final int FRAMING = 12;

    static final int OPTION_END = 0;
    static final int OPTION_COMMENT = 1;
    static final int OPTION_INTERFACE_NAME = 2;

    /** In a packet block; its two lowest bits tell the direction. */
    static final int OPTION_PACKET_FLAGS = 2;

    static final int OPTION_APPLICATION = 4;
    static final int OPTION_TIMESTAMP_RESOLUTION = 9;
    static final int OPTION_TIMESTAMP_OFFSET = 14;

    private PcapngBlock() {}

    /** Everything is padded to 4 bytes. */
    static int padded(int length) {
        return (length + 3) & ~3;
    }
}
