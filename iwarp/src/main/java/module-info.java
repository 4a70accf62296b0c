/** iWARP: RDMAP over DDP over MPA over TCP. */
module org.rdma4j.iwarp {
    requires org.rdma4j.stack;

    exports org.rdma4j.iwarp.mpa;
    exports org.rdma4j.iwarp.wire;
}
