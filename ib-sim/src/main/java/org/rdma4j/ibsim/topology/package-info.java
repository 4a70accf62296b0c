/** Topologies: read from files, made by name, written. */
package org.rdma4j.ibsim.topology;
