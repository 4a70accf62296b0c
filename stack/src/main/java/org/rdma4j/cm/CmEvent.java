package org.rdma4j.cm;

import org.rdma4j.wire.PrivateData;

/**
 * What happened to an identifier ({@code struct rdma_cm_event}). It needs no acknowledgement.
 *
 * @param type what
 * @param id whom it concerns
 * @param listener whom a request came to, else {@code null}
 * @param status 0; of REJECTED the reason in the REJ, of UNREACHABLE the status in the SIDR_REP, or a negative errno
 * @param privateData what the other application said, with the fill of its field
 * @param parameters of CONNECT_REQUEST, CONNECT_RESPONSE and ESTABLISHED of connections, else {@code null}
 * @param datagrams of ESTABLISHED of datagrams and of MULTICAST_JOIN, else {@code null}
 * @param detail more in words where there is an error, else empty
 */
public record CmEvent(
        CmEventType type,
        CmId id,
        CmId listener,
        int status,
        PrivateData privateData,
        ConnectionParameters parameters,
        DatagramParameters datagrams,
        String detail) {

    static CmEvent of(CmEventType type, CmId id) {
        return new CmEvent(type, id, null, 0, PrivateData.EMPTY, null, null, "");
    }

    static CmEvent failed(CmEventType type, CmId id, int status, PrivateData privateData, String detail) {
        return new CmEvent(type, id, null, status, privateData, null, null, detail);
    }

    static CmEvent connection(CmEventType type, CmId id, CmId listener, PrivateData data, ConnectionParameters given) {
        return new CmEvent(type, id, listener, 0, data, given, null, "");
    }

    static CmEvent datagrams(CmEventType type, CmId id, PrivateData data, DatagramParameters given) {
        return new CmEvent(type, id, null, 0, data, null, given, "");
    }

    /** In one line: {@code RDMA_CM_EVENT_REJECTED, status 8 (invalid service ID: nobody listens there)}. */
    @Override
    public String toString() {
        if (status == 0) {
            return type.toString();
        }
        return type
                + (detail.startsWith(status + " ") ? ", status " + detail : ", status " + status + " (" + detail + ")");
    }
}
