/** iWARP as captures show it: TCP put together again, MPA found by its key, the FPDUs of both directions. */
package org.rdma4j.iwarp.capture;
