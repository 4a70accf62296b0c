/** Hosts: the transport as it is, on a link that carries native InfiniBand packets. */
package org.rdma4j.ibsim.host;
