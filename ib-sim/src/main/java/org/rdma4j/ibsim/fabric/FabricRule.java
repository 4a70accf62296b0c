package org.rdma4j.ibsim.fabric;

/**
 * Why a packet did not go on. The id is that of the conformance catalogue's row, the clause that of the IBTA
 * specification, volume 1.
 */
public enum FabricRule {
    VCRC("CRC-09", "the VCRC is wrong", "7.8.2"),
    LINK_VERSION("FAB-01", "LVer is not 0", "7.7.2"),
    PACKET_LENGTH("FAB-02", "PktLen is not the packet's length", "7.7.7"),
    MARKED_BAD("FAB-03", "the sender has marked the packet as bad (EBP)", "7.3"),
    LANE_NOT_CONFIGURED("FAB-04", "the port has no such virtual lane", "7.6.3"),
    LANE_15_FOR_DATA("FAB-04", "on VL15 is no subnet management packet", "7.6.3"),
    SUBNET_MANAGEMENT_ON_DATA_LANE("FAB-04", "a subnet management packet is on a data lane", "C13-52"),
    LANE_15_FULL("FAB-04", "no room for a subnet management packet: VL15 has no flow control", "7.6.3"),
    BUFFER_OVERRUN("FAB-07", "no room in the lane's buffer: the sender has overdrawn its credit", "7.9.4"),
    NO_DESTINATION("FAB-05", "the DLID is 0, or no port of this node", "7.7.4"),
    UNROUTED("FAB-09", "the forwarding table has no port for the DLID", "18.2.4.3"),
    MTU("FAB-06", "the packet is longer than the next link's MTU", "18.2.5.2"),
    PORT_STATE("SMP-04", "the port's state lets no data through", "7.2.7"),
    HEAD_OF_QUEUE("FAB-08", "it waited at the head of its queue longer than HOQLife", "18.2.5.4"),
    SWITCH_LIFETIME("FAB-08", "it was in the switch longer than LifeTimeValue", "18.2.5.5"),
    LANE_STALLED(
            "FAB-08",
            "the lane has dropped VLStallCount packets in a row, and drops what comes for a while",
            "18.2.5.4"),
    PARTITION_IN("FAB-12", "the P_Key is not one of those that may come in", "10.9.2"),
    PARTITION_OUT("FAB-12", "the P_Key is not one of those that may go out", "10.9.2"),
    PARTITION_HOST("FAB-12", "the P_Key is not that of the host's queue pair", "10.9.3"),
    SL_TO_VL("FAB-11", "SLtoVL says VL15: packets of this SL go nowhere", "7.6.6"),
    NO_MULTICAST_MEMBER("FAB-13", "no port but the one that it came from is in the group", "18.2.4.3.3"),
    LINK_DOWN("FAB-15", "the link went down with the packet on it", "7.2.7");

    private final String id;
    private final String text;
    private final String clause;

    FabricRule(String id, String text, String clause) {
        this.id = id;
        this.text = text;
        this.clause = clause;
    }

    /** The catalogue's row that shows this rule. */
    public String id() {
        return id;
    }

    /** One line in words. */
    public String text() {
        return text;
    }

    /** Where the rule stands. */
    public String clause() {
        return clause;
    }
}
