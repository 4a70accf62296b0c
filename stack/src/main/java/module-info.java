/** The IB transport, the verbs API and the link SPI: no I/O, no threads of its own on the protocol's path. */
@SuppressWarnings("module") // the neighbours are compiled after this one
module org.rdma4j.stack {
    exports org.rdma4j.analysis;
    exports org.rdma4j.cm;
    exports org.rdma4j.congestion;
    exports org.rdma4j.link;
    exports org.rdma4j.link.fault;
    exports org.rdma4j.link.loop;
    exports org.rdma4j.link.tap;
    exports org.rdma4j.memory;
    exports org.rdma4j.pcap;
    exports org.rdma4j.trace;
    exports org.rdma4j.transport to
            org.rdma4j.iwarp;
    exports org.rdma4j.verbs;
    exports org.rdma4j.wire;

    uses org.rdma4j.cm.CmProvider;
    uses org.rdma4j.link.LinkProvider;
    uses org.rdma4j.transport.EngineProvider;

    provides org.rdma4j.link.LinkProvider with
            org.rdma4j.link.loop.LoopLinkProvider;
}
