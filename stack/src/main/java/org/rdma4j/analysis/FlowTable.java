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

    private record Key(Gid from, Gid to, int destQp, int sourceQp, int service) {}

    private record Pair(Gid from, Gid to) {}

    private final Map<Key, Flow> requests = new RecentMap<>(MOST_FLOWS);
    private final Map<Key, Flow> answeredBy = new RecentMap<>(MOST_FLOWS);
    private final Map<Key, Announcement> announced = new RecentMap<>(MOST_FLOWS);
    private final Map<Pair, List<Flow>> byPair = new RecentMap<>(MOST_FLOWS);
    private final List<Flow> all = new ArrayList<>();
    private int flows;
    private Flow lastRequested;
    private Flow lastAnswered;
    private Key lastResponse;

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
        Gid from = packet.roce.source();
        Gid to = packet.roce.destination();
        Flow last = lastRequested;
        if (last != null && isOf(last, packet, from, to) && isNear(last, packet.psn)) {
            return last;
        }
        Key key = new Key(from, to, packet.destQp, packet.sourceQp, packet.service());
        Flow known = requests.get(key);
        if (known == null || !isNear(known, packet.psn)) {
            known = begin(key, packet);
        }
        lastRequested = known;
        return known;
    }

    private static boolean isOf(Flow flow, PacketView packet, Gid from, Gid to) {
        return flow.destQp() == packet.destQp
                && flow.sourceQp() == packet.sourceQp
                && flow.service() == packet.service()
                && flow.from().equals(from)
                && flow.to().equals(to);
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
            answeredBy.put(new Key(key.to, key.from, said.answerQp(), 0, key.service), flow);
            lastResponse = null;
        }
        return flow;
    }

    /** The flow that a response answers: the one that it answered before, or else the latest that it fits; or null. */
    Flow ofResponse(PacketView packet) {
        Key response = new Key(
                packet.roce.source(), packet.roce.destination(), packet.destQp, packet.sourceQp, packet.service());
        if (response.equals(lastResponse) && lastAnswered.mayAnswer(response.service, packet.psn)) {
            return lastAnswered;
        }
        Flow known = answeredBy.get(response);
        if (known == null || !known.mayAnswer(response.service, packet.psn)) {
            known = unanswered(response, packet.psn);
        }
        if (known != null) {
            lastAnswered = known;
            lastResponse = response;
        }
        return known;
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
