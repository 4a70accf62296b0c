package org.rdma4j.ibsim.mad;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rdma4j.ibsim.fabric.LinkState;
import org.rdma4j.ibsim.fabric.Port;
import org.rdma4j.ibsim.fabric.PortSettings;
import org.rdma4j.ibsim.fabric.Switch;
import org.rdma4j.wire.NetworkOrder;

/**
 * PortInfo of one port (IBTA volume 1, 14.2.5.6): what the port is and does, and besides that what a subnet manager has set
 * and this fabric makes no use of, kept as it came.
 */
public final class PortInfo {

    // Offsets in the attribute.

    public static final int M_KEY = 0;
    public static final int GID_PREFIX = 8;
    public static final int LID = 16;
    public static final int MASTER_SM_LID = 18;
    public static final int CAPABILITY_MASK = 20;
    public static final int M_KEY_LEASE_PERIOD = 26;
    public static final int LOCAL_PORT = 28;
    public static final int WIDTH_ENABLED = 29;
    public static final int WIDTH_SUPPORTED = 30;
    public static final int WIDTH_ACTIVE = 31;
    public static final int SPEED_SUPPORTED_STATE = 32;
    public static final int PHYSICAL_STATE_DOWN_DEFAULT = 33;
    public static final int PROTECT_LMC = 34;
    public static final int SPEED_ACTIVE_ENABLED = 35;
    public static final int NEIGHBOR_MTU_SM_SL = 36;
    public static final int VL_CAP_INIT_TYPE = 37;
    public static final int VL_HIGH_LIMIT = 38;
    public static final int VL_ARB_HIGH_CAP = 39;
    public static final int VL_ARB_LOW_CAP = 40;
    public static final int INIT_REPLY_MTU_CAP = 41;
    public static final int VL_STALL_HOQ_LIFE = 42;
    public static final int OPERATIONAL_VLS_FILTERS = 43;
    public static final int M_KEY_VIOLATIONS = 44;
    public static final int GUID_CAP = 50;
    public static final int REREGISTER_TIMEOUT = 51;
    public static final int RESPONSE_TIME = 52;
    public static final int ERROR_THRESHOLDS = 53;
    public static final int CAPABILITY_MASK_2 = 60;
    public static final int SPEED_EXT_ACTIVE_SUPPORTED = 62;
    public static final int SPEED_EXT_ENABLED = 63;

    private static final long DEFAULT_PREFIX = 0xFE80_0000_0000_0000L;
    private static final int ADAPTER_CAPABILITIES = 0x0050_C048;
    private static final int SWITCH_CAPABILITIES = 0x0000_C048;
    /** In CapabilityMask: a subnet manager sits at the port. */
    public static final int IS_SM = 1 << 1;

    /** 2x links, and HDR speed. */
    private static final int CAPABILITIES_2 = 0x30;

    private static final int ALL_WIDTHS = 0x1F;
    private static final int SDR_DDR_QDR = 7;
    private static final int POLLING = 2;
    private static final int DISABLED = 3;
    private static final int LINK_UP = 5;
    private static final int ARBITRATION_ENTRIES = 8;
    private static final int STALL_SHIFT = 5;
    private static final int STALL_MASK = 7;
    private static final int LOW_NIBBLE = 0xF;
    public static final int LMC_MASK = 7;
    private static final int HOQ_MASK = 0x1F;

    /** What the manager sees last, but for what {@link #refresh} writes anew. */
    private final MemorySegment bytes = MemorySegment.ofArray(new byte[Mad.DATA_LENGTH]);

    private final Port port;
    private final boolean endPort;
    private final MKeyLease lease = new MKeyLease(bytes);
    private boolean disabled;
    private boolean hasManager;

    PortInfo(Port port) {
        this.port = port;
        boolean inSwitch = port.node() instanceof Switch;
        endPort = !inSwitch || port.number() == 0;
        PortSettings settings = port.settings();
        set8(WIDTH_ENABLED, settings.width().code());
        set8(WIDTH_SUPPORTED, ALL_WIDTHS);
        set8(PHYSICAL_STATE_DOWN_DEFAULT, POLLING);
        set8(VL_ARB_HIGH_CAP, ARBITRATION_ENTRIES);
        set8(VL_ARB_LOW_CAP, ARBITRATION_ENTRIES);
        set8(SPEED_ACTIVE_ENABLED, settings.speed().code());
        set8(SPEED_EXT_ENABLED, settings.speed().extendedCode());
        if (endPort) {
            bytes.set(NetworkOrder.LONG, GID_PREFIX, DEFAULT_PREFIX);
            bytes.set(NetworkOrder.INT, CAPABILITY_MASK, inSwitch ? SWITCH_CAPABILITIES : ADAPTER_CAPABILITIES);
            bytes.set(NetworkOrder.SHORT, CAPABILITY_MASK_2, (short) CAPABILITIES_2);
            set8(GUID_CAP, inSwitch ? 1 : 32);
            set8(RESPONSE_TIME, inSwitch ? 8 : 0);
        }
    }

    Port port() {
        return port;
    }

    private int get8(int offset) {
        return bytes.get(ValueLayout.JAVA_BYTE, offset) & 0xFF;
    }

    private void set8(int offset, int value) {
        bytes.set(ValueLayout.JAVA_BYTE, offset, (byte) value);
    }

    /** Who may read and set the port. */
    MKeyLease lease() {
        return lease;
    }

    /** The master's LID: where traps go. */
    int masterLid() {
        return bytes.get(NetworkOrder.SHORT, MASTER_SM_LID) & 0xFFFF;
    }

    /** IsSM: a subnet manager sits at the port. */
    void setManager(boolean value) {
        hasManager = value;
    }

    /** Writes it as it is now. */
    void get(MemorySegment data, int localPort) {
        refresh();
        MemorySegment.copy(bytes, 0, data, 0, Mad.DATA_LENGTH);
        data.set(ValueLayout.JAVA_BYTE, LOCAL_PORT, (byte) localPort);
    }

    private void refresh() {
        PortSettings settings = port.settings();
        boolean own = port.node() instanceof Switch && port.number() == 0;
        LinkState state = own ? LinkState.ACTIVE : port.state();
        int physical = own || state != LinkState.DOWN ? LINK_UP : disabled ? DISABLED : POLLING;
        bytes.set(NetworkOrder.SHORT, LID, (short) settings.lid());
        if (endPort) {
            int capabilities = bytes.get(NetworkOrder.INT, CAPABILITY_MASK) & ~IS_SM;
            bytes.set(NetworkOrder.INT, CAPABILITY_MASK, hasManager ? capabilities | IS_SM : capabilities);
        }
        set8(WIDTH_ACTIVE, settings.width().code());
        set8(SPEED_SUPPORTED_STATE, SDR_DDR_QDR << 4 | state.number());
        set8(PHYSICAL_STATE_DOWN_DEFAULT, physical << 4 | get8(PHYSICAL_STATE_DOWN_DEFAULT) & LOW_NIBBLE);
        set8(PROTECT_LMC, get8(PROTECT_LMC) & ~LMC_MASK | settings.lidMaskControl());
        set8(SPEED_ACTIVE_ENABLED, settings.speed().code() << 4 | get8(SPEED_ACTIVE_ENABLED) & LOW_NIBBLE);
        set8(NEIGHBOR_MTU_SM_SL, settings.mtu() << 4 | get8(NEIGHBOR_MTU_SM_SL) & LOW_NIBBLE);
        set8(VL_CAP_INIT_TYPE, settings.laneCapability() << 4 | get8(VL_CAP_INIT_TYPE) & LOW_NIBBLE);
        set8(VL_HIGH_LIMIT, port.arbiter().limit());
        set8(INIT_REPLY_MTU_CAP, settings.mtuCapability());
        set8(VL_STALL_HOQ_LIFE, settings.stallCount() << STALL_SHIFT | settings.headOfQueueLife());
        int filters = (settings.filtersIn() ? 8 : 0) | (settings.filtersOut() ? 4 : 0);
        set8(OPERATIONAL_VLS_FILTERS, settings.operationalLaneCode() << 4 | filters);
        set8(
                SPEED_EXT_ACTIVE_SUPPORTED,
                settings.speed().extendedCode() << 4 | settings.speed().extendedCode());
    }

    /**
     * Takes what a manager sets (each field by its own rule).
     *
     * @return the status; with any but {@link Mad#OK} nothing has changed
     */
    int set(MemorySegment data) {
        int state = data.get(ValueLayout.JAVA_BYTE, SPEED_SUPPORTED_STATE) & LOW_NIBBLE;
        int mtu = data.get(ValueLayout.JAVA_BYTE, NEIGHBOR_MTU_SM_SL) >> 4 & LOW_NIBBLE;
        int lanes = data.get(ValueLayout.JAVA_BYTE, OPERATIONAL_VLS_FILTERS) >> 4 & LOW_NIBBLE;
        int physical = data.get(ValueLayout.JAVA_BYTE, PHYSICAL_STATE_DOWN_DEFAULT) >> 4 & LOW_NIBBLE;
        PortSettings settings = port.settings();
        if (state == LinkState.INIT.number() || state > LinkState.ACTIVE.number() || physical > DISABLED) {
            return Mad.INVALID_FIELD;
        }
        if (mtu > settings.mtuCapability() || lanes > settings.laneCapability()) {
            return Mad.INVALID_FIELD;
        }
        takeKept(data);
        lease.renew();
        if (mtu != 0) {
            settings.setMtu(mtu);
        }
        if (lanes != 0) {
            settings.setOperationalLanes(lanes);
        }
        int filters = data.get(ValueLayout.JAVA_BYTE, OPERATIONAL_VLS_FILTERS) & LOW_NIBBLE;
        settings.setFilters((filters & 8) != 0, (filters & 4) != 0);
        settings.setHeadOfQueueLife(data.get(ValueLayout.JAVA_BYTE, VL_STALL_HOQ_LIFE) & HOQ_MASK);
        settings.setStallCount(data.get(ValueLayout.JAVA_BYTE, VL_STALL_HOQ_LIFE) >> STALL_SHIFT & STALL_MASK);
        port.arbiter().setLimit(data.get(ValueLayout.JAVA_BYTE, VL_HIGH_LIMIT) & 0xFF);
        if (endPort) {
            int lmc = data.get(ValueLayout.JAVA_BYTE, PROTECT_LMC) & LMC_MASK;
            port.setLid(data.get(NetworkOrder.SHORT, LID) & 0xFFFF, lmc);
        }
        setPhysicalState(physical);
        if (state != 0) {
            port.setState(LinkState.values()[state - 1]);
            if (state == LinkState.DOWN.number() && !disabled && port.peer() != null) {
                port.node().fabric().train(port); // Polling finds the other end again
            }
        }
        return Mad.OK;
    }

    private void takeKept(MemorySegment data) {
        if (endPort) {
            copy(data, M_KEY, Long.BYTES);
            copy(data, GID_PREFIX, Long.BYTES);
            copy(data, MASTER_SM_LID, Short.BYTES);
            copy(data, M_KEY_LEASE_PERIOD, Short.BYTES);
            set8(PROTECT_LMC, data.get(ValueLayout.JAVA_BYTE, PROTECT_LMC) & 0xC0);
            set8(REREGISTER_TIMEOUT, data.get(ValueLayout.JAVA_BYTE, REREGISTER_TIMEOUT) & 0x1F);
        }
        int width = data.get(ValueLayout.JAVA_BYTE, WIDTH_ENABLED) & 0xFF;
        if (width != 0) {
            set8(WIDTH_ENABLED, width == 0xFF ? ALL_WIDTHS : width);
        }
        keepLowNibble(data, PHYSICAL_STATE_DOWN_DEFAULT);
        keepLowNibble(data, SPEED_ACTIVE_ENABLED);
        if ((get8(SPEED_ACTIVE_ENABLED) & LOW_NIBBLE) == LOW_NIBBLE) {
            set8(SPEED_ACTIVE_ENABLED, SDR_DDR_QDR); // 15 stands for whatever is supported
        }
        set8(NEIGHBOR_MTU_SM_SL, data.get(ValueLayout.JAVA_BYTE, NEIGHBOR_MTU_SM_SL) & LOW_NIBBLE);
        set8(VL_CAP_INIT_TYPE, data.get(ValueLayout.JAVA_BYTE, VL_CAP_INIT_TYPE) & LOW_NIBBLE);
        copy(data, ERROR_THRESHOLDS, 1);
        copy(data, M_KEY_VIOLATIONS, 3 * Short.BYTES); // M_Key, P_Key and Q_Key violations: set to be cleared
    }

    /** Zero leaves such a field as it was. */
    private void keepLowNibble(MemorySegment data, int offset) {
        int value = data.get(ValueLayout.JAVA_BYTE, offset) & LOW_NIBBLE;
        if (value != 0) {
            set8(offset, get8(offset) & ~LOW_NIBBLE | value);
        }
    }

    private void copy(MemorySegment data, int offset, int length) {
        MemorySegment.copy(data, offset, bytes, offset, length);
    }

    private void setPhysicalState(int physical) {
        if (physical == DISABLED) {
            disabled = true;
            port.setState(LinkState.DOWN);
        } else if (physical == POLLING && disabled) {
            disabled = false;
            if (port.peer() != null) {
                port.node().fabric().train(port);
            }
        }
    }
}
