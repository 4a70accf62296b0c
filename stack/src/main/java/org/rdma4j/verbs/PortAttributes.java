package org.rdma4j.verbs;

/**
 * A port ({@code struct ibv_port_attr}).
 *
 * @param active the link is up
 * @param maxMtu the largest path MTU of the architecture, bytes
 * @param activeMtu the largest path MTU that the interface carries, bytes
 * @param interfaceMtu the interface's own MTU, bytes
 * @param gidTableLength entries of the GID table
 * @param pkeyTableLength entries of the P_Key table
 */
public record PortAttributes(
        boolean active, int maxMtu, int activeMtu, int interfaceMtu, int gidTableLength, int pkeyTableLength) {}
