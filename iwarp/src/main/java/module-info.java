/** iWARP: RDMAP over DDP over MPA over TCP. */
module org.rdma4j.iwarp {
    requires jdk.net;
    requires transitive org.rdma4j.stack;

    exports org.rdma4j.iwarp;
    exports org.rdma4j.iwarp.capture;
    exports org.rdma4j.iwarp.craft;
    exports org.rdma4j.iwarp.memory;
    exports org.rdma4j.iwarp.mpa;
    exports org.rdma4j.iwarp.stream;
    exports org.rdma4j.iwarp.tap;
    exports org.rdma4j.iwarp.wire;

    provides org.rdma4j.cm.CmProvider with
            org.rdma4j.iwarp.cm.IwarpCm;
    provides org.rdma4j.transport.EngineProvider with
            org.rdma4j.iwarp.tcp.IwarpProvider;
}
