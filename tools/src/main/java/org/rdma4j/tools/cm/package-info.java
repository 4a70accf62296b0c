/** The examples of librdmacm: rping, cmatose, udaddy, mckey, rdma_client and rdma_server; each speaks to the real one. */
package org.rdma4j.tools.cm;
