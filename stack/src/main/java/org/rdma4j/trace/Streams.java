package org.rdma4j.trace;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rdma4j.wire.Deth;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.RoceFrame;

/**
 * Follows connections packet by packet and tells where each packet stands in its own: what was sent again, what is
 * missing, how much of a message is there. A response does not name the queue pair that it answers for, so its
 * connection is found by its PSN. The oldest connections are forgotten when there are too many.
 */
public final class Streams {

    private static final int MOST_STREAMS = 10_000;

    /** No requester has so many packets under way: a PSN this far off is that of a new queue pair with the old number. */
    private static final int NEW_CONNECTION = 1 << 16;

    private record Key(Gid from, Gid to, int destQp, int sourceQp, int service) {}

    private record Pair(Gid from, Gid to) {}

    private final Map<Key, RequestStream> requests = bounded();
    private final Map<Key, RequestStream> answeredBy = bounded();
    private final Map<Pair, List<RequestStream>> byPair = bounded();

    private static <K, V> Map<K, V> bounded() {
        return new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > MOST_STREAMS;
            }
        };
    }

    /** Takes note of a packet that crossed the wire. */
    public PacketPlace place(RoceFrame frame, Packet packet) {
        int opcode = packet.bth().opcode();
        int service = Opcode.service(opcode);
        int sourceQp = packet.extension(Deth.class).map(Deth::sourceQp).orElse(0);
        Key key = new Key(frame.source(), frame.destination(), packet.bth().destQp(), sourceQp, service);
        if (Opcode.isRequest(opcode)) {
            return requestStream(key, packet.bth().psn()).request(packet);
        }
        if (Opcode.isResponse(opcode)) {
            RequestStream answered = answeredStream(key, packet.bth().psn());
            return answered == null ? PacketPlace.NOWHERE : answered.response(packet);
        }
        return PacketPlace.NOWHERE;
    }

    private RequestStream requestStream(Key key, int psn) {
        RequestStream known = requests.get(key);
        if (known != null && Math.abs(known.ahead(psn)) < NEW_CONNECTION) {
            return known;
        }
        RequestStream stream = new RequestStream(key.service, psn);
        requests.put(key, stream);
        List<RequestStream> ofPair = byPair.computeIfAbsent(new Pair(key.from, key.to), any -> new ArrayList<>());
        ofPair.add(stream);
        if (ofPair.size() > MOST_STREAMS) {
            ofPair.removeFirst();
        }
        return stream;
    }

    /** The requests that a response answers: the ones it answered before, or else the latest that it fits. */
    private RequestStream answeredStream(Key response, int psn) {
        RequestStream known = answeredBy.get(response);
        if (known != null && known.mayAnswer(response.service, psn)) {
            return known;
        }
        List<RequestStream> candidates = byPair.getOrDefault(new Pair(response.to, response.from), List.of());
        for (RequestStream candidate : candidates.reversed()) {
            if (!candidate.isAnswered && candidate.mayAnswer(response.service, psn)) {
                candidate.isAnswered = true;
                answeredBy.put(response, candidate);
                return candidate;
            }
        }
        return null;
    }
}
