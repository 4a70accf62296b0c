/** Links that carry RoCE. */
@SuppressWarnings("module") // the family is called RoCE v2, digit and all
module org.rdma4j.rocev2 {
    requires jdk.net;
    requires org.rdma4j.stack;
    requires static java.sql; // of Pcap4J's timestamps
    requires static org.pcap4j.core;

    exports org.rdma4j.rocev2.capture to
            org.rdma4j.tools;
    exports org.rdma4j.rocev2.ethernet to
            org.rdma4j.ibsim,
            org.rdma4j.tools;
    exports org.rdma4j.rocev2.syscall to
            org.rdma4j.tools;

    provides org.rdma4j.link.LinkProvider with
            org.rdma4j.rocev2.Roce1LinkProvider,
            org.rdma4j.rocev2.Roce2EthLinkProvider,
            org.rdma4j.rocev2.Roce2LinkProvider;
}
