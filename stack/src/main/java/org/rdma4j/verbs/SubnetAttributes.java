package org.rdma4j.verbs;

/**
 * What a subnet manager has given a port (fields of {@code struct ibv_port_attr}). Ethernet has none: there all are 0
 * (annex A16).
 *
 * @param lid the port's local identifier
 * @param lmc how many of its low bits the port ignores
 * @param smLid the subnet manager's local identifier
 * @param smSl the service level that leads to it
 * @param subnetTimeout code of the longest way through the subnet: 4.096 µs · 2^code
 * @param initTypeReply what the manager did when the port came up
 */
public record SubnetAttributes(int lid, int lmc, int smLid, int smSl, int subnetTimeout, int initTypeReply) {

    public static final SubnetAttributes NONE = new SubnetAttributes(0, 0, 0, 0, 0, 0);
}
