package org.rdma4j.tools.conform;

import java.util.List;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Outcome;
import org.rdma4j.tools.conform.check.Peer;
import org.rdma4j.tools.conform.check.Variant;

/** One peer that is of several kinds, because others play for it. */
final class ManyPeers implements Peer {

    private final List<Peer> players;

    /** @param players the first one speaks for all where no kind is asked for */
    ManyPeers(Peer... players) {
        this.players = List.of(players);
    }

    @Override
    public String name() {
        return players.getFirst().name();
    }

    @Override
    public int tries() {
        return players.getFirst().tries();
    }

    @Override
    public String excludes(Check check, Variant variant) {
        return as(check.course().kind()).excludes(check, variant);
    }

    @Override
    public boolean is(Class<? extends Peer> kind) {
        return players.stream().anyMatch(player -> player.is(kind));
    }

    @Override
    public <K extends Peer> K as(Class<K> kind) {
        return players.stream()
                .filter(player -> player.is(kind))
                .map(kind::cast)
                .findFirst()
                .orElseThrow(() -> new Outcome.NotApplicable("this peer is no " + kind.getSimpleName()));
    }

    @Override
    public void close() {
        players.forEach(Peer::close);
    }
}
