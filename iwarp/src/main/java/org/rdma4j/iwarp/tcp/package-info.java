/** Streams over the operating system's TCP, by NIO: one selector for all connections of a device. */
package org.rdma4j.iwarp.tcp;
