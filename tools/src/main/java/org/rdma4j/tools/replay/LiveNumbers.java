package org.rdma4j.tools.replay;

import java.util.ArrayList;
import java.util.List;
import org.rdma4j.wire.Gid;

/**
 * The numbers of a live peer in the place of those of the capture's. The acted side's own R_Key and addresses are told to the
 * peer as they are in the capture.
 */
final class LiveNumbers {

    private LiveNumbers() {}

    static Mapping of(Part part) {
        Gid own = part.own().gid();
        Gid peer = part.peer().gid();
        List<NumberRule> rules = new ArrayList<>();
        rules.add(
                new NumberRule(MapKind.QPN, false, part.peer().qpn(), part.met().qpn(), peer, null));
        rules.add(
                new NumberRule(MapKind.QPN, false, part.own().qpn(), part.line().qpn(), own, null));
        if (part.peerFlow() != null) {
            rules.add(new NumberRule(
                    MapKind.PSN, false, part.peer().psn(), part.met().psn(), peer, part.peerFlow()));
        }
        if (part.ownFlow() != null) {
            rules.add(new NumberRule(
                    MapKind.PSN, false, part.own().psn(), part.met().ownPsn(), own, part.ownFlow()));
        }
        if (part.peer().rKey() != 0) {
            rules.add(new NumberRule(
                    MapKind.RKEY,
                    false,
                    Integer.toUnsignedLong(part.peer().rKey()),
                    Integer.toUnsignedLong(part.met().rKey()),
                    peer,
                    null));
            rules.add(new NumberRule(
                    MapKind.VA, false, part.peer().address(), part.met().address(), peer, null));
        }
        return new Mapping(rules, List.of());
    }
}
