package org.rdma4j.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Psn;

/**
 * Which flow a packet belongs to. A response does not name the queue pair that it answers for, so its flow is found by what
 * was announced, or else by its PSN. The oldest flows are forgotten when there are too many.
 */
final class FlowTable {

    private static final int MOST_FLOWS = 4096;

    /** No requester has so many packets under way: a PSN this far off is that of a new queue pair with the old number. */
    private static final int NEW_CONNECTION = 1 << 16;

    private static final int RECENT = 256;

    private record Key(Gid from, Gid to, int destQp, int sourceQp, int service) {}

    private record Pair(Gid from, Gid to) {}

    private final Map<Key, Flow> requests = new RecentMap<>(MOST_FLOWS);
    private final Map<Key, Flow> answeredBy = new RecentMap<>(MOST_FLOWS);
    private final Map<Key, Announcement> announced = new RecentMap<>(MOST_FLOWS);
    private final Map<Pair, List<Flow>> byPair = new RecentMap<>(MOST_FLOWS);
    private final List<Flow> all = new ArrayList<>();
    private int flows;

    // The flows of the latest packets, each where its packets' numbers say: most packets need no map.
    private final Flow[] requested = new Flow[RECENT];
    private final Flow[] answered = new Flow[RECENT];

    /** The flows that are remembered, in the order in which they began. */
    List<Flow> all() {
        return all;
    }

    void announce(Announcement announcement) {
        Key key = new Key(announcement.from(), announcement.to(), announcement.destQp(), 0, 0);
        announced.put(key, announcement);
    }

    /** The flow of a request, a new one where there is none. */
    Flow ofRequest(PacketView packet) {
        int place = place(packet.destQp);
        Flow recent = requested[place];
        if (recent != null && recent.isAskedBy(packet) && isNear(recent, packet.psn)) {
            return recent;
        }
        Flow known = known(packet);
        if (recent != null) {
            Key key = new Key(recent.from(), recent.to(), recent.destQp(), recent.sourceQp(), recent.service());
            stillInUse(requests, key, recent);
        }
        requested[place] = known;
        return known;
    }

    private Flow known(PacketView packet) {
        Key key = key(packet);
        Flow known = requests.get(key);
        return known == null || !isNear(known, packet.psn) ? begin(key, packet) : known;
    }

    /** What was found without the map looks unused there, and may be forgotten: it is put back when it leaves the table. */
    private static void stillInUse(Map<Key, Flow> map, Key key, Flow flow) {
        if (map.size() == MOST_FLOWS) {
            map.putIfAbsent(key, flow);
        }
    }

    private static int place(int queuePair) {
        return queuePair & RECENT - 1;
    }

    private static Key key(PacketView packet) {
        return new Key(packet.source(), packet.destination(), packet.destQp, packet.sourceQp, packet.service());
    }

    /** That of the responses to a flow whose requester's queue pair is known. */
    private static Key responseKey(Flow flow) {
        return new Key(flow.to(), flow.from(), flow.answerQp(), 0, flow.service());
    }

    private static boolean isNear(Flow flow, int psn) {
        return Math.abs(flow.ahead(psn)) < NEW_CONNECTION;
    }

    private Flow begin(Key key, PacketView packet) {
        Announcement said = announced.get(new Key(key.from, key.to, key.destQp, 0, 0));
        boolean fits = said != null && Math.abs(Psn.difference(packet.psn, said.firstPsn())) < NEW_CONNECTION;
        Flow flow = new Flow(++flows, key.from, key.to, packet, fits ? said : null);
        requests.put(key, flow);
        all.add(flow);
        byPair.computeIfAbsent(new Pair(key.from, key.to), any -> new ArrayList<>())
                .add(flow);
        if (all.size() > MOST_FLOWS) {
            Flow oldest = all.removeFirst();
            List<Flow> itsPair = byPair.get(new Pair(oldest.from(), oldest.to()));
            if (itsPair != null) {
                itsPair.remove(oldest);
            }
        }
        if (fits) {
            flow.answerQp(said.answerQp());
            answeredBy.put(responseKey(flow), flow);
            answeredLatest(flow);
        }
        return flow;
    }

    /** The flow that a response answers: the one that it answered before, or else the latest that it fits; or null. */
    Flow ofResponse(PacketView packet) {
        int place = place(packet.destQp);
        Flow recent = answered[place];
        if (recent != null && recent.isAnsweredBy(packet) && recent.mayAnswer(packet.service(), packet.psn)) {
            return recent;
        }
        Key response = key(packet);
        Flow known = answeredBy.get(response);
        if (known == null || !known.mayAnswer(response.service, packet.psn)) {
            known = unanswered(response, packet.psn);
        }
        if (known != null) {
            answeredLatest(known);
        }
        return known;
    }

    private void answeredLatest(Flow flow) {
        int place = place(flow.answerQp());
        Flow before = answered[place];
        if (before != null) {
            stillInUse(answeredBy, responseKey(before), before);
        }
        answered[place] = flow;
    }

    private Flow unanswered(Key response, int psn) {
        List<Flow> candidates = byPair.getOrDefault(new Pair(response.to, response.from), List.of());
        for (Flow candidate : candidates.reversed()) {
            if (candidate.answerQp() < 0 && candidate.mayAnswer(response.service, psn)) {
                candidate.answerQp(response.destQp);
                answeredBy.put(response, candidate);
                return candidate;
            }
        }
        return null;
    }

    /** The flows from one host to another that come from a queue pair: those that a congestion notification is about. */
    List<Flow> sentBy(Gid from, Gid to, int queuePair) {
        return byPair.getOrDefault(new Pair(from, to), List.of()).stream()
                .filter(flow -> flow.answerQp() == queuePair)
                .toList();
    }
}
