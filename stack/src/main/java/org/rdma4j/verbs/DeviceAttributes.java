package org.rdma4j.verbs;

import org.rdma4j.transport.Abilities;

/**
 * Limits of a device ({@code struct ibv_device_attr}).
 *
 * @param maxQp queue pairs
 * @param maxQpWr work requests a queue
 * @param maxSge pieces a work request
 * @param maxInlineData bytes inline
 * @param maxCq completion queues
 * @param maxCqe entries a completion queue
 * @param maxMr memory regions
 * @param maxPd protection domains
 * @param maxSrq shared receive queues
 * @param maxSrqWr receives a shared receive queue
 * @param maxSrqSge pieces a receive of a shared receive queue
 * @param maxMcastGrp multicast groups
 * @param maxMcastQpAttach queue pairs a multicast group
 * @param maxQpRdAtomic READs and atomics outstanding a queue pair, as responder
 * @param maxQpInitRdAtomic the same as requester
 * @param maxMessageSize bytes a message
 * @param localCaAckDelay code of the longest time to an acknowledgement: 4.096 µs · 2^code
 */
public record DeviceAttributes(
        int maxQp,
        int maxQpWr,
        int maxSge,
        int maxInlineData,
        int maxCq,
        int maxCqe,
        int maxMr,
        int maxPd,
        int maxSrq,
        int maxSrqWr,
        int maxSrqSge,
        int maxMcastGrp,
        int maxMcastQpAttach,
        int maxQpRdAtomic,
        int maxQpInitRdAtomic,
        long maxMessageSize,
        int localCaAckDelay) {

    /** What devices of rdma4j can do; one whose family has no multicast groups has none. */
    public static final DeviceAttributes SOFTWARE = new DeviceAttributes(
            1 << 20, 1 << 16, 32, 1024, 1 << 20, 1 << 22, 1 << 20, 1 << 20, 1 << 20, 1 << 16, 32, 256, 64, 128, 128,
            1L << 31, 15);

    static DeviceAttributes of(Abilities abilities) {
        DeviceAttributes all = SOFTWARE;
        return abilities.multicast()
                ? all
                : new DeviceAttributes(
                        all.maxQp,
                        all.maxQpWr,
                        all.maxSge,
                        all.maxInlineData,
                        all.maxCq,
                        all.maxCqe,
                        all.maxMr,
                        all.maxPd,
                        all.maxSrq,
                        all.maxSrqWr,
                        all.maxSrqSge,
                        0,
                        0,
                        all.maxQpRdAtomic,
                        all.maxQpInitRdAtomic,
                        all.maxMessageSize,
                        all.localCaAckDelay);
    }
}
