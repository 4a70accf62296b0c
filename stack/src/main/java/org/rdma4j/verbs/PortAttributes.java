package org.rdma4j.verbs;

/**
 * A port ({@code struct ibv_port_attr}).
 *
 * @param state {@link PortState#DOWN} where the link can tell that it carries nothing
 * @param linkLayer what carries the packets
 * @param maxMtu the largest path MTU of the architecture, bytes
 * @param activeMtu the largest path MTU that the interface carries, bytes
 * @param interfaceMtu the interface's own MTU, bytes
 * @param maxMessageSize bytes
 * @param gidTableLength entries of the GID table
 * @param pkeyTableLength entries of the P_Key table
 */
public record PortAttributes(
        PortState state,
        LinkLayer linkLayer,
        int maxMtu,
        int activeMtu,
        int interfaceMtu,
        long maxMessageSize,
        int gidTableLength,
        int pkeyTableLength) {}
