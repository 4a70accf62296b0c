/** Packets and captures of real peers with their right values, and their loader. */
module org.rdma4j.vectors {
    exports org.rdma4j.vectors;
}
