package org.rdma4j.tools.decode;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rdma4j.analysis.Analyzer;
import org.rdma4j.analysis.Announcement;
import org.rdma4j.tools.exchange.KeyRecord;
import org.rdma4j.tools.exchange.PingpongRecord;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.TcpEnds;
import org.rdma4j.wire.TcpFrame;
import org.rdma4j.wire.TcpHeader;

/**
 * Reads what perftest and the pingpong tools tell each other over TCP before their first packet. Their records are short
 * and come in a segment each; one that comes in pieces is passed over.
 */
final class Exchanges {

    private static final int MOST_CONNECTIONS = 1024;
    private static final int MOST_RECORDS = 4096;

    /** What one end said of a queue pair. */
    private record Said(int qpn, int psn, int rKey, long address, int outReads, Gid gid, String by) {}

    private final Analyzer analyzer;
    private final Map<TcpEnds, List<Said>> heard = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<TcpEnds, List<Said>> eldest) {
            return size() > MOST_CONNECTIONS;
        }
    };

    Exchanges(Analyzer analyzer) {
        this.analyzer = analyzer;
    }

    void segment(TcpFrame tcp, long frame, long time) {
        if ((tcp.flags() & TcpHeader.SYN) != 0) {
            heard.remove(tcp.ends());
            return;
        }
        int length = tcp.payloadLength();
        boolean mayBe =
                length == PingpongRecord.LENGTH || length == KeyRecord.LENGTH || length == KeyRecord.LENGTH_WITH_GID;
        if (!mayBe || tcp.capturedLength() < length) {
            return;
        }
        Said said = said(tcp.payload().toArray(ValueLayout.JAVA_BYTE));
        if (said == null) {
            return;
        }
        TcpEnds ends = tcp.ends();
        List<Said> own = heard.computeIfAbsent(ends, any -> new ArrayList<>());
        if (own.contains(said) || own.size() >= MOST_RECORDS) {
            return; // perftest says it again where it waits for its peer
        }
        own.add(said);
        List<Said> theirs = heard.getOrDefault(ends.back(), List.of());
        if (theirs.size() >= own.size()) {
            Said peer = theirs.get(own.size() - 1);
            // In each of these dialogues the client speaks first, so the one that answers is the server.
            announce(ends.from(), ends.to(), said, peer, false, frame, time);
            announce(ends.to(), ends.from(), peer, said, true, frame, time);
        }
    }

    private static Said said(byte[] bytes) {
        if (bytes.length == PingpongRecord.LENGTH) {
            PingpongRecord record = PingpongRecord.parse(bytes);
            return record == null ? null : new Said(record.qpn(), record.psn(), 0, 0, 0, record.gid(), "pingpong");
        }
        KeyRecord record = KeyRecord.parse(bytes);
        return record == null || record.qpn() == 0
                ? null
                : new Said(
                        record.qpn(),
                        record.psn(),
                        record.rKey(),
                        record.address(),
                        record.outReads(),
                        record.gid(),
                        "perftest");
    }

    /** The record names the GID that the RoCE packets will have; without one they have the TCP connection's address. */
    private void announce(Gid tcpFrom, Gid tcpTo, Said from, Said to, boolean fromClient, long frame, long time) {
        analyzer.announce(
                new Announcement(
                        gid(from, tcpFrom),
                        gid(to, tcpTo),
                        to.qpn(),
                        from.qpn(),
                        from.psn(),
                        0,
                        0,
                        to.outReads(),
                        to.rKey(),
                        to.address(),
                        fromClient,
                        from.by(),
                        frame),
                time);
    }

    private static Gid gid(Said said, Gid otherwise) {
        return said.gid() == null || said.gid().equals(Gid.ZERO) ? otherwise : said.gid();
    }
}
