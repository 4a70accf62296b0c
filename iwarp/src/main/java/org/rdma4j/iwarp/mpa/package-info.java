/**
 * MPA over a byte stream (RFC 5044, 6581): the handshake and the cutting of the stream into ULPDUs. No I/O, no clock, no
 * thread: fed with bytes and the time.
 */
package org.rdma4j.iwarp.mpa;
