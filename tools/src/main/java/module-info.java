/** The command line and what its commands need. */
module org.rdma4j.tools {
    requires HdrHistogram;
    requires info.picocli;
    requires java.management;
    requires java.xml;
    requires jdk.management;
    requires org.rdma4j.ibsim;
    requires org.rdma4j.iwarp;
    requires org.rdma4j.rocev2;
    requires org.rdma4j.stack;

    opens org.rdma4j.tools to
            info.picocli;
    opens org.rdma4j.tools.bench to
            info.picocli;
    opens org.rdma4j.tools.capture to
            info.picocli;
    opens org.rdma4j.tools.cm to
            info.picocli;
    opens org.rdma4j.tools.conform to
            info.picocli;
    opens org.rdma4j.tools.demo to
            info.picocli;
    opens org.rdma4j.tools.device to
            info.picocli;
    opens org.rdma4j.tools.perf to
            info.picocli;
    opens org.rdma4j.tools.pingpong to
            info.picocli;
    opens org.rdma4j.tools.replay to
            info.picocli;
    opens org.rdma4j.tools.sim to
            info.picocli;
}
