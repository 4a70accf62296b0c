/** iWARP's bytes on the wire, MPA, DDP and RDMAP: one header a file. No state, no sockets. */
package org.rdma4j.iwarp.wire;
