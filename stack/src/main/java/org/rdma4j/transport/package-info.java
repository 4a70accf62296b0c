/** The protocol: requester, responder, timers, windows. Knows no socket, clock or thread. */
package org.rdma4j.transport;
