/** What the tools of rdma-core and perftest tell each other over TCP before and after their RDMA traffic. */
package org.rdma4j.tools.exchange;
