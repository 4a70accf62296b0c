/** Management datagrams: subnet management and performance management of each node, and programs that use them. */
package org.rdma4j.ibsim.mad;
