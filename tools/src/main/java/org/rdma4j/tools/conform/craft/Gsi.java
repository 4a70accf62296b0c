package org.rdma4j.tools.conform.craft;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.rdma4j.wire.CmMad;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.CmSidrReq;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.MadHeader;
import org.rdma4j.wire.Packet;

/**
 * The hand-played side's queue pair 1: gives each datagram to the line whose dialogue it belongs to. What belongs to none is
 * not dropped: a peer that answers where it should be silent may well name the wrong connection. It goes to every line that
 * talks with that peer.
 */
final class Gsi {

    // Lines stay here when they are closed: what comes late for one of them is told from what is nobody's.
    private final Map<Integer, Line> byOurId = new ConcurrentHashMap<>();
    private final Map<Long, Line> byService = new ConcurrentHashMap<>();
    private final Map<Integer, Line> byPeersId = new ConcurrentHashMap<>(); // as the peer's messages have told
    private final Map<Long, Line> byTransaction = new ConcurrentHashMap<>(); // in which something was said here

    private final Set<Line> talking = ConcurrentHashMap.newKeySet();
    private final Set<Integer> strangers =
            ConcurrentHashMap.newKeySet(); // the peer's IDs, of dialogues before this run

    /** Messages to this communication or request ID are this line's. */
    void answersTo(int id, Line line) {
        byOurId.put(id, line);
        talking.add(line);
    }

    /** True where messages to this ID are this line's. */
    boolean isCalled(int id, Line line) {
        return byOurId.get(id) == line;
    }

    /** Requests for this service are this line's. */
    void serves(long serviceId, Line line) {
        byService.put(serviceId, line);
        talking.add(line);
    }

    /** A datagram to the peer's queue pair 1: what comes back in its transaction is this line's, whomever it names. */
    void says(Packet packet, Line line) {
        MemorySegment mad = packet.payload();
        if (mad.byteSize() >= MadHeader.LENGTH) {
            byTransaction.put(MadHeader.transactionId(mad, 0), line);
            talking.add(line);
        }
    }

    void forget(Line line) {
        talking.remove(line);
    }

    /** Who gets this packet: one line; none where its dialogue is over; all that it may concern where it has none. */
    List<Line> linesFor(Packet packet, Gid from) {
        MemorySegment payload = packet.payload();
        CmMad mad = CmMad.parse(payload, 0, (int) payload.byteSize()) instanceof CmMad parsed ? parsed : null;
        CmNames names = mad == null ? new CmNames(0, 0) : CmNames.of(mad.message());
        List<Line> known = known(payload, mad, names);
        if (known.isEmpty()) {
            return strangers.contains(names.theirs()) ? List.of() : suspects(mad, names, from);
        }
        Line line = known.stream().filter(Line::isOpen).findFirst().orElse(known.getFirst());
        if (names.theirs() != 0) {
            byPeersId.put(names.theirs(), line); // a closed one's too: whoever asks it too late gives up later still
        }
        return line.isOpen() ? List.of(line) : List.of();
    }

    /** Whose it may be, open or closed, the surest first. */
    private List<Line> known(MemorySegment payload, CmMad mad, CmNames names) {
        List<Line> lines = new ArrayList<>();
        if (payload.byteSize() >= MadHeader.LENGTH) {
            lines.add(byTransaction.get(MadHeader.transactionId(payload, 0)));
        }
        if (mad != null) {
            lines.add(byOurId.get(names.ours()));
            lines.add(
                    switch (mad.message()) {
                        case CmReq req -> byService.get(req.serviceId());
                        case CmSidrReq req -> byService.get(req.serviceId());
                        default -> byPeersId.get(names.theirs()); // who gives up early does not know our ID
                    });
        }
        lines.removeIf(Objects::isNull);
        return lines;
    }

    private List<Line> suspects(CmMad mad, CmNames names, Gid from) {
        talking.removeIf(line -> !line.isOpen()); // closed while it spoke
        List<Line> lines =
                talking.stream().filter(line -> from.equals(line.peer())).toList();
        if (talking.isEmpty() && names.theirs() != 0) {
            strangers.add(names.theirs());
        } else if (!lines.isEmpty() && mad != null && mad.message() instanceof CmReq) {
            byPeersId.put(names.theirs(), lines.getFirst()); // whoever gives this request up later says nothing new
        }
        return lines;
    }
}
