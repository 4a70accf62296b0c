package org.rdma4j.verbs;

import java.util.Set;

/**
 * A port ({@code struct ibv_port_attr}). Width and speed are not among it: a socket has none of its own.
 *
 * @param state {@link PortState#DOWN} where the link can tell that it carries nothing
 * @param physicalState what Linux shows beside it: LINK_UP or DISABLED
 * @param linkLayer what carries the packets
 * @param capabilities what it can do
 * @param subnet what a subnet manager gave it
 * @param maxMtu the largest path MTU of the architecture, bytes
 * @param activeMtu the largest path MTU that the interface carries, bytes
 * @param interfaceMtu the interface's own MTU, bytes
 * @param maxMessageSize bytes
 * @param maxVl virtual lanes
 * @param badPkeys packets with a P_Key that did not match, 65535 at most (14.2.5.6)
 * @param badQkeys packets with a Q_Key that did not match, 65535 at most
 * @param gidTableLength entries of the GID table
 * @param pkeyTableLength entries of the P_Key table
 */
public record PortAttributes(
        PortState state,
        PhysicalState physicalState,
        LinkLayer linkLayer,
        Set<PortCapability> capabilities,
        SubnetAttributes subnet,
        int maxMtu,
        int activeMtu,
        int interfaceMtu,
        long maxMessageSize,
        int maxVl,
        int badPkeys,
        int badQkeys,
        int gidTableLength,
        int pkeyTableLength) {}
