/** The SPI below the transport: links that carry packets, and what stands around a link. */
package org.rdma4j.link;
