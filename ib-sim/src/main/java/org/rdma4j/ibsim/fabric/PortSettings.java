package org.rdma4j.ibsim.fabric;

/** What a port's hardware is, and what its subnet manager has set: the values behind PortInfo and its tables. */
public final class PortSettings {

    /** Entries of a port's P_Key table. */
    public static final int PKEYS = 64;

    public static final int SERVICE_LEVELS = 16;

    /** 32 KB. */
    static final int BUFFER_BLOCKS = 512;

    /** The default partition, full member. */
    private static final int DEFAULT_PKEY = 0xFFFF;

    private static final int MEMBERSHIP = 0x8000;
    private static final int SMALLEST_MTU = 128;

    private LinkSpeed speed = LinkSpeed.QDR;
    private LinkWidth width = LinkWidth.X4;
    private int mtuCapability = 5;
    private int mtu = 5;
    private int laneCapability = 4;
    private int lanes = 8;
    private final int bufferBlocks;
    private int headOfQueueLife = 31;
    private int stallCount = 7;
    private int lid;
    private int lidMaskControl;
    private boolean partitionFilterIn;
    private boolean partitionFilterOut;
    private final int[] pKeys = new int[PKEYS];

    /** @param bufferBlocks blocks of 64 bytes that the buffer of each data lane holds */
    PortSettings(int bufferBlocks) {
        this.bufferBlocks = bufferBlocks;
        pKeys[0] = DEFAULT_PKEY;
    }

    public LinkSpeed speed() {
        return speed;
    }

    public LinkWidth width() {
        return width;
    }

    void setRate(LinkSpeed linkSpeed, LinkWidth linkWidth) {
        speed = linkSpeed;
        width = linkWidth;
    }

    /** The code of the largest MTU that the port can: 1 for 256 bytes to 5 for 4,096. */
    public int mtuCapability() {
        return mtuCapability;
    }

    /** The code of the MTU in use. */
    public int mtu() {
        return mtu;
    }

    public void setMtu(int code) {
        mtu = code;
    }

    /** Bytes of payload that a packet may have. */
    public int mtuBytes() {
        return SMALLEST_MTU << mtu;
    }

    /** The code of the data lanes that the port has: 1 for VL0, 2 for VL0 and VL1, 3 for 4, 4 for 8, 5 for 15 of them. */
    public int laneCapability() {
        return laneCapability;
    }

    /** Data lanes in use, VL0 on. */
    public int operationalLanes() {
        return lanes;
    }

    /** The code of the lanes in use. */
    public int operationalLaneCode() {
        return lanes == 15 ? 5 : 32 - Integer.numberOfLeadingZeros(lanes);
    }

    public void setOperationalLanes(int code) {
        lanes = lanesOf(code);
    }

    private static int lanesOf(int code) {
        return code == 5 ? 15 : 1 << code - 1;
    }

    /** Blocks of 64 bytes that the buffer of each data lane holds. */
    public int bufferBlocks() {
        return bufferBlocks;
    }

    /** HOQLife: 4.096 µs times 2 to this power; from 20 on for ever. */
    public int headOfQueueLife() {
        return headOfQueueLife;
    }

    public void setHeadOfQueueLife(int exponent) {
        headOfQueueLife = exponent;
    }

    /** VLStallCount: so many packets in a row dropped at the head of their queues stall a lane; 0 never does. */
    public int stallCount() {
        return stallCount;
    }

    public void setStallCount(int count) {
        stallCount = count;
    }

    /** The base LID. */
    public int lid() {
        return lid;
    }

    void setLid(int base, int maskControl) {
        lid = base;
        lidMaskControl = maskControl;
    }

    /** LMC: so many low bits of the LID do not count. */
    public int lidMaskControl() {
        return lidMaskControl;
    }

    /** True where a packet to this LID is for the port. */
    public boolean has(int destination) {
        return lid != Lids.NONE && destination >>> lidMaskControl == lid >>> lidMaskControl;
    }

    public boolean filtersIn() {
        return partitionFilterIn;
    }

    public boolean filtersOut() {
        return partitionFilterOut;
    }

    /** PartitionEnforcementInbound and PartitionEnforcementOutbound. */
    public void setFilters(boolean in, boolean out) {
        partitionFilterIn = in;
        partitionFilterOut = out;
    }

    public int pKey(int index) {
        return pKeys[index];
    }

    public void setPKey(int index, int pKey) {
        pKeys[index] = pKey;
    }

    /** True where the table lets a packet of this P_Key pass: one entry of the same partition, not both limited (10.9.3). */
    boolean admits(int pKey) {
        for (int entry : pKeys) {
            if (((entry ^ pKey) & ~MEMBERSHIP & 0xFFFF) == 0
                    && (entry & ~MEMBERSHIP) != 0
                    && ((entry | pKey) & MEMBERSHIP) != 0) {
                return true;
            }
        }
        return false;
    }
}
