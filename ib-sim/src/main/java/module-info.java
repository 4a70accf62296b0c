/** An InfiniBand fabric in virtual time, and a RoCE one. */
module org.rdma4j.ibsim {
    requires org.rdma4j.rocev2;
    requires transitive org.rdma4j.stack;

    exports org.rdma4j.ibsim.ethernet;
    exports org.rdma4j.ibsim.fabric;
    exports org.rdma4j.ibsim.host;
    exports org.rdma4j.ibsim.door;
    exports org.rdma4j.ibsim.mad;
    exports org.rdma4j.ibsim.rmpp;
    exports org.rdma4j.ibsim.sa;
    exports org.rdma4j.ibsim.sm;
    exports org.rdma4j.ibsim.subnet;
    exports org.rdma4j.ibsim.time;
    exports org.rdma4j.ibsim.topology;
    exports org.rdma4j.ibsim.traffic;
}
