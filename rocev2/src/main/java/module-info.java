/** Links that carry RoCE. */
module org.rdma4j.rocev2 {
    requires org.rdma4j.stack;
}
