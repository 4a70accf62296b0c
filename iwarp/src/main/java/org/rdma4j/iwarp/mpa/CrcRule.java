package org.rdma4j.iwarp.mpa;

/** When CRCs are used. */
public enum CrcRule {
    /** Where either side asks for them (RFC 5044, 7.1.1). */
    RFC,
    /**
     * As Linux siw does it: where the request asks for them. A responder that would like them and is not asked goes
     * without; an initiator that asked takes no reply that does not ask too.
     */
    SIW
}
