/** The IB transport, the verbs API and the link SPI: no I/O, no threads of its own on the protocol's path. */
module org.rdma4j.stack {
    exports org.rdma4j.analysis;
    exports org.rdma4j.cm;
    exports org.rdma4j.link;
    exports org.rdma4j.link.fault;
    exports org.rdma4j.link.loop;
    exports org.rdma4j.link.tap;
    exports org.rdma4j.memory;
    exports org.rdma4j.pcap;
    exports org.rdma4j.trace;
    exports org.rdma4j.verbs;
    exports org.rdma4j.wire;

    uses org.rdma4j.link.LinkProvider;

    provides org.rdma4j.link.LinkProvider with
            org.rdma4j.link.loop.LoopLinkProvider;
}
