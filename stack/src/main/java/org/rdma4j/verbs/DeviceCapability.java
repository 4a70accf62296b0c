package org.rdma4j.verbs;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.rdma4j.transport.Abilities;
import org.rdma4j.transport.Op;

/** What a device can do besides the least ({@code IBV_DEVICE_*}, {@code device_cap_flags_ex}), with its bits. */
public enum DeviceCapability {
    RESIZE_MAX_WR(0),
    BAD_PKEY_CNTR(1),
    BAD_QKEY_CNTR(2),
    RAW_MULTI(3),
    AUTO_PATH_MIG(4),
    CHANGE_PHY_PORT(5),
    UD_AV_PORT_ENFORCE(6),
    CURR_QP_STATE_MOD(7),
    SHUTDOWN_PORT(8),
    INIT_TYPE(9),
    PORT_ACTIVE_EVENT(10),
    SYS_IMAGE_GUID(11),
    RC_RNR_NAK_GEN(12),
    SRQ_RESIZE(13),
    N_NOTIFY_CQ(14),
    MEM_WINDOW(17),
    UD_IP_CSUM(18),
    XRC(20),
    MEM_MGT_EXTENSIONS(21),
    MEM_WINDOW_TYPE_2A(23),
    MEM_WINDOW_TYPE_2B(24),
    RC_IP_CSUM(25),
    RAW_IP_CSUM(26),
    MANAGED_FLOW_STEERING(29),
    FLUSH_GLOBAL(38),
    FLUSH_PERSISTENT(39),
    ATOMIC_WRITE(40);

    /** What every device of rdma4j can do. */
    static final Set<DeviceCapability> SOFTWARE = Collections.unmodifiableSet(EnumSet.of(
            BAD_PKEY_CNTR,
            BAD_QKEY_CNTR,
            AUTO_PATH_MIG,
            UD_AV_PORT_ENFORCE,
            CURR_QP_STATE_MOD,
            PORT_ACTIVE_EVENT,
            SYS_IMAGE_GUID,
            RC_RNR_NAK_GEN,
            SRQ_RESIZE,
            MEM_WINDOW,
            XRC,
            MEM_MGT_EXTENSIONS,
            MEM_WINDOW_TYPE_2B,
            FLUSH_GLOBAL,
            FLUSH_PERSISTENT,
            ATOMIC_WRITE));

    /** What makes sense with packets and queue pairs of InfiniBand alone. */
    private static final Set<DeviceCapability> OF_INFINIBAND = EnumSet.of(
            BAD_PKEY_CNTR,
            BAD_QKEY_CNTR,
            AUTO_PATH_MIG,
            UD_AV_PORT_ENFORCE,
            RC_RNR_NAK_GEN,
            XRC,
            FLUSH_GLOBAL,
            FLUSH_PERSISTENT);

    /** What a family of devices has of it. */
    static Set<DeviceCapability> of(Abilities abilities) {
        EnumSet<DeviceCapability> has = EnumSet.copyOf(SOFTWARE);
        if (abilities.streams()) {
            has.removeAll(OF_INFINIBAND);
        }
        if (!abilities.has(Op.BIND_MW)) {
            has.removeAll(EnumSet.of(MEM_WINDOW, MEM_WINDOW_TYPE_2B));
        }
        if (!abilities.has(Op.REG_MR)) {
            has.remove(MEM_MGT_EXTENSIONS);
        }
        if ((abilities.extendedOperations() >>> Op.ATOMIC_WRITE & 1) == 0) {
            has.remove(ATOMIC_WRITE);
        }
        return Collections.unmodifiableSet(has);
    }

    private final int bit;

    DeviceCapability(int bit) {
        this.bit = bit;
    }

    public long mask() {
        return 1L << bit;
    }

    /** {@code device_cap_flags_ex}; its low 32 bits are {@code device_cap_flags}. */
    public static long mask(Set<DeviceCapability> capabilities) {
        return capabilities.stream().mapToLong(DeviceCapability::mask).reduce(0, (some, more) -> some | more);
    }
}
