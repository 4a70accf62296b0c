package org.rdma4j.verbs;

import java.util.LinkedHashMap;
import java.util.Map;
import org.rdma4j.link.LinkCounters;
import org.rdma4j.trace.Rule;
import org.rdma4j.transport.CongestionCounters;
import org.rdma4j.transport.Engine;
import org.rdma4j.transport.ErrorCounters;
import org.rdma4j.transport.IbEngine;
import org.rdma4j.transport.Status;

/**
 * What a port has counted since it was opened, under the names that Linux has for it in {@code /sys/class/infiniband}.
 * A name that is missing is not counted here: nothing is made up.
 *
 * @param port the architecture's own counters ({@code ports/1/counters}); data in words of 4 bytes (16.1.3.5)
 * @param mlx5 {@code ports/1/hw_counters} as mlx5 names them
 * @param rxe {@code ports/1/hw_counters} as rxe names them
 */
public record PortCounters(Map<String, Long> port, Map<String, Long> mlx5, Map<String, Long> rxe) {

    private static final int WORD = 4;

    static PortCounters of(Engine engine) {
        return new PortCounters(port(engine.port().counters()), mlx5(engine), rxe(engine));
    }

    private static Map<String, Long> port(LinkCounters link) {
        Map<String, Long> counters = new LinkedHashMap<>();
        counters.put("port_xmit_packets", link.sentPackets);
        counters.put("port_xmit_data", link.sentBytes / WORD);
        counters.put("port_xmit_discards", link.sendErrors);
        counters.put("port_rcv_packets", link.receivedPackets);
        counters.put("port_rcv_data", link.receivedBytes / WORD);
        counters.put("port_rcv_errors", link.icrcErrors + link.malformed);
        return counters;
    }

    private static Map<String, Long> mlx5(Engine engine) {
        ErrorCounters errors = engine.errors();
        Map<String, Long> counters = new LinkedHashMap<>();
        counters.put("duplicate_request", duplicates(engine));
        counters.put("implied_nak_seq_err", engine.decisions(Rule.RESPONSE_GAP));
        counters.put("local_ack_timeout_err", errors.ackTimeouts());
        CongestionCounters congestion = engine instanceof IbEngine infiniband ? infiniband.congestionCounters() : null;
        if (congestion != null) {
            counters.put("np_cnp_sent", congestion.notified());
            counters.put("np_ecn_marked_roce_packets", congestion.marked());
            counters.put("rp_cnp_handled", congestion.handled());
        }
        counters.put("out_of_buffer", engine.decisions(Rule.RECEIVE_NOT_READY));
        counters.put("out_of_sequence", outOfSequence(engine));
        counters.put("packet_seq_err", errors.sequenceNaks());
        counters.put("req_cqe_error", errors.sends());
        counters.put("req_cqe_flush_error", errors.sends(Status.WR_FLUSH_ERR));
        counters.put("req_remote_access_errors", errors.sends(Status.REM_ACCESS_ERR));
        counters.put("req_remote_invalid_request", errors.sends(Status.REM_INV_REQ_ERR));
        counters.put("resp_cqe_error", errors.receives());
        counters.put("resp_cqe_flush_error", errors.receives(Status.WR_FLUSH_ERR));
        counters.put("resp_local_length_error", errors.receives(Status.LOC_LEN_ERR));
        counters.put("resp_remote_access_errors", engine.decisions(Rule.REMOTE_ACCESS));
        counters.put("rnr_nak_retry_err", engine.decisions(Rule.RNR_NAK_RECEIVED));
        counters.put("rp_cnp_ignored", engine.decisions(Rule.CNP_IGNORED));
        counters.put("rx_icrc_encapsulated", engine.port().counters().icrcErrors);
        return counters;
    }

    private static Map<String, Long> rxe(Engine engine) {
        ErrorCounters errors = engine.errors();
        LinkCounters link = engine.port().counters();
        Map<String, Long> counters = new LinkedHashMap<>();
        counters.put("sent_pkts", link.sentPackets);
        counters.put("rcvd_pkts", link.receivedPackets);
        counters.put("duplicate_request", duplicates(engine));
        counters.put("out_of_seq_request", outOfSequence(engine));
        counters.put("rcvd_rnr_err", engine.decisions(Rule.RNR_NAK_RECEIVED));
        counters.put("send_rnr_err", engine.decisions(Rule.RECEIVE_NOT_READY));
        counters.put("rcvd_seq_err", errors.sequenceNaks());
        counters.put("retry_exceeded_err", errors.sends(Status.RETRY_EXC_ERR));
        counters.put("retry_rnr_exceeded_err", errors.sends(Status.RNR_RETRY_EXC_ERR));
        counters.put("completer_retry_err", errors.retries());
        counters.put("send_err", link.sendErrors);
        return counters;
    }

    private static long duplicates(Engine engine) {
        return engine.decisions(Rule.DUPLICATE_ANSWERED) + engine.decisions(Rule.DUPLICATE_DROPPED);
    }

    private static long outOfSequence(Engine engine) {
        return engine.decisions(Rule.PSN_SEQUENCE) + engine.decisions(Rule.PSN_SEQUENCE_WAITING);
    }
}
