/** Peers of perftest's {@code ib_{send,write,read,atomic}_{bw,lat}}. */
package org.rdma4j.tools.perf;
