package org.rdma4j.ibsim.sm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rdma4j.ibsim.fabric.LinkState;
import org.rdma4j.ibsim.mad.PortInfo;
import org.rdma4j.wire.NetworkOrder;

/** A port that the subnet manager has found, with its PortInfo as it is told, or set. */
public final class FoundPort {

    private final FoundNode node;
    private final int number;
    private final long guid;
    private byte[] info;
    private FoundPort peer;

    FoundPort(FoundNode node, int number, long guid, byte[] info) {
        this.node = node;
        this.number = number;
        this.guid = guid;
        this.info = info;
    }

    public FoundNode node() {
        return node;
    }

    public int number() {
        return number;
    }

    public long guid() {
        return guid;
    }

    /** PortInfo, 64 bytes. */
    public byte[] info() {
        return info;
    }

    void setInfo(byte[] bytes) {
        info = bytes;
    }

    /** The port at the other end of the cable; {@code null} where none was found. */
    public FoundPort peer() {
        return peer;
    }

    void connect(FoundPort other) {
        peer = other;
        other.peer = this;
    }

    /** True for a port that has a LID: an adapter's, or port 0 of a switch. */
    public boolean isEndPort() {
        return !node.isSwitch() || number == 0;
    }

    private MemorySegment segment() {
        return MemorySegment.ofArray(info);
    }

    private int int8(int offset) {
        return segment().get(ValueLayout.JAVA_BYTE, offset) & 0xFF;
    }

    public int lid() {
        return segment().get(NetworkOrder.SHORT, PortInfo.LID) & 0xFFFF;
    }

    public int lidMaskControl() {
        return int8(PortInfo.PROTECT_LMC) & PortInfo.LMC_MASK;
    }

    int state() {
        return int8(PortInfo.SPEED_SUPPORTED_STATE) & 0xF;
    }

    boolean isDown() {
        return state() == LinkState.DOWN.number();
    }

    boolean hasManager() {
        return (segment().get(NetworkOrder.INT, PortInfo.CAPABILITY_MASK) & PortInfo.IS_SM) != 0;
    }

    int mtuCapability() {
        return int8(PortInfo.INIT_REPLY_MTU_CAP) & 0xF;
    }

    int laneCapability() {
        return int8(PortInfo.VL_CAP_INIT_TYPE) >> 4;
    }

    /** The code of the MTU in use. */
    public int mtu() {
        return int8(PortInfo.NEIGHBOR_MTU_SM_SL) >> 4;
    }

    /** The code of the rate in use, as path records have it (15.2.5.16). */
    public int rate() {
        int extended = int8(PortInfo.SPEED_EXT_ACTIVE_SUPPORTED) >> 4;
        return PathRates.code(int8(PortInfo.WIDTH_ACTIVE), int8(PortInfo.SPEED_ACTIVE_ENABLED) >> 4, extended);
    }

    @Override
    public String toString() {
        return node.description() + "[" + number + "]";
    }
}
