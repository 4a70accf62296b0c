/** Bytes on the wire: one header a file, checksums, opcodes. No state, no sockets. */
package org.rdma4j.wire;
