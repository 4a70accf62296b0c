/** Bytes of iWARP as a peer that is played by hand sends them: right unless told to be wrong, made slowly and plainly. */
package org.rdma4j.iwarp.craft;
