package org.rdma4j.verbs;

import java.util.Set;
import org.rdma4j.transport.Abilities;
import org.rdma4j.transport.Op;
import org.rdma4j.transport.QpKind;

/**
 * Abilities and limits of a device ({@code struct ibv_device_attr}).
 *
 * @param capabilities what it can do besides the least
 * @param atomicCapability against whom its atomics are atomic
 * @param maxMrSize bytes a memory region
 * @param maxQp queue pairs
 * @param maxQpWr work requests a queue
 * @param maxSge pieces a work request
 * @param maxSgeRead pieces of local memory a READ
 * @param maxInlineData bytes inline
 * @param maxCq completion queues
 * @param maxCqe entries a completion queue
 * @param maxCqModeration completions, and microseconds, that an event may be put off for
 * @param maxMr memory regions
 * @param maxMw memory windows
 * @param maxPd protection domains
 * @param maxAh address handles
 * @param maxSrq shared receive queues
 * @param maxSrqWr receives a shared receive queue
 * @param maxSrqSge pieces a receive of a shared receive queue
 * @param maxMcastGrp multicast groups
 * @param maxMcastQpAttach queue pairs a multicast group
 * @param maxQpRdAtomic READs and atomics outstanding a queue pair, as responder
 * @param maxQpInitRdAtomic the same as requester
 * @param maxPkeys entries that the P_Key table may have
 * @param maxMessageSize bytes a message
 * @param localCaAckDelay code of the longest time to an acknowledgement: 4.096 µs · 2^code
 */
public record DeviceAttributes(
        Set<DeviceCapability> capabilities,
        AtomicCapability atomicCapability,
        long maxMrSize,
        int maxQp,
        int maxQpWr,
        int maxSge,
        int maxSgeRead,
        int maxInlineData,
        int maxCq,
        int maxCqe,
        int maxCqModeration,
        int maxMr,
        int maxMw,
        int maxPd,
        int maxAh,
        int maxSrq,
        int maxSrqWr,
        int maxSrqSge,
        int maxMcastGrp,
        int maxMcastQpAttach,
        int maxQpRdAtomic,
        int maxQpInitRdAtomic,
        int maxPkeys,
        long maxMessageSize,
        int localCaAckDelay) {

    private static final int MANY = 1 << 20;
    private static final int PIECES = 32;

    /** What devices of rdma4j can do; a family may lack some of it. */
    public static final DeviceAttributes SOFTWARE = with(
            DeviceCapability.SOFTWARE, AtomicCapability.HCA, PIECES, /* windows= */ MANY, /* handles= */ MANY, 256, 64);

    static DeviceAttributes of(Abilities abilities) {
        boolean atomics = abilities.has(Op.ATOMIC_CMP_AND_SWP);
        boolean groups = abilities.multicast();
        return with(
                DeviceCapability.of(abilities),
                atomics ? SOFTWARE.atomicCapability : AtomicCapability.NONE,
                Math.min(PIECES, abilities.readPieces()),
                abilities.has(Op.BIND_MW) ? SOFTWARE.maxMw : 0,
                abilities.kinds().contains(QpKind.UD) ? SOFTWARE.maxAh : 0,
                groups ? SOFTWARE.maxMcastGrp : 0,
                groups ? SOFTWARE.maxMcastQpAttach : 0);
    }

    private static DeviceAttributes with(
            Set<DeviceCapability> capabilities,
            AtomicCapability atomics,
            int readPieces,
            int windows,
            int handles,
            int groups,
            int members) {
        return new DeviceAttributes(
                capabilities,
                atomics,
                Long.MAX_VALUE,
                MANY, // queue pairs
                1 << 16,
                PIECES,
                readPieces,
                1024,
                MANY, // completion queues
                1 << 22,
                0xFFFF,
                MANY, // regions
                windows,
                MANY, // protection domains
                handles,
                MANY, // shared receive queues
                1 << 16,
                32,
                groups,
                members,
                128,
                128,
                128,
                1L << 31,
                15);
    }

    /** What READs and atomics of all queue pairs together take at most ({@code max_res_rd_atom}). */
    public long maxResRdAtomic() {
        return (long) maxQp * maxQpRdAtomic;
    }

    /** Memberships of all multicast groups together ({@code max_total_mcast_qp_attach}). */
    public int maxTotalMcastQpAttach() {
        return maxMcastGrp * maxMcastQpAttach;
    }
}
