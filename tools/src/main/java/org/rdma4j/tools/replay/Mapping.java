package org.rdma4j.tools.replay;

import java.util.List;
import java.util.stream.Stream;
import org.rdma4j.analysis.Flow;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Psn;

/** What is put in the place of a capture's addresses and numbers. Of the rules that cover one the first counts. */
final class Mapping {

    private final List<NumberRule> numbers;
    private final List<AddressRule> addresses;

    Mapping(List<NumberRule> numbers, List<AddressRule> addresses) {
        this.numbers = List.copyOf(numbers);
        this.addresses = List.copyOf(addresses);
    }

    /** These rules, and behind them others. */
    Mapping and(Mapping other) {
        return new Mapping(
                Stream.concat(numbers.stream(), other.numbers.stream()).toList(),
                Stream.concat(addresses.stream(), other.addresses.stream()).toList());
    }

    private long number(MapKind kind, MapKind general, long value, Gid owner) {
        for (NumberRule rule : numbers) {
            if ((rule.kind() == kind || rule.kind() == general) && rule.covers(value, owner)) {
                return rule.apply(value);
            }
        }
        return value;
    }

    long sourceMac(long mac) {
        return number(MapKind.SMAC, MapKind.MAC, mac, null);
    }

    long destinationMac(long mac) {
        return number(MapKind.DMAC, MapKind.MAC, mac, null);
    }

    /** @param id -1 for no tag */
    int vlan(int id) {
        return (int) number(MapKind.VLAN, MapKind.VLAN, id, null);
    }

    int sourcePort(int port) {
        return (int) number(MapKind.SPORT, MapKind.PORT, port, null);
    }

    int destinationPort(int port) {
        return (int) number(MapKind.DPORT, MapKind.PORT, port, null);
    }

    /** @param owner the host that has the queue pair, by its address in the capture; so for the others below */
    int qpn(int qpn, Gid owner) {
        return (int) number(MapKind.QPN, MapKind.QPN, qpn, owner);
    }

    int rKey(int rKey, Gid owner) {
        return (int) number(MapKind.RKEY, MapKind.RKEY, Integer.toUnsignedLong(rKey), owner);
    }

    long virtualAddress(long address, Gid owner) {
        return number(MapKind.VA, MapKind.VA, address, owner);
    }

    /**
     * @param requester whose requests have such PSNs
     * @param flow those requests; {@code null} where they are not known
     */
    int psn(int psn, Gid requester, Flow flow) {
        for (NumberRule rule : numbers) {
            boolean covers = rule.kind() == MapKind.PSN
                    && rule.covers(psn, requester)
                    && (rule.flow() == null || rule.flow() == flow);
            if (covers) {
                return (int) rule.apply(psn) & Psn.MASK;
            }
        }
        return psn;
    }

    Gid address(Gid address) {
        for (AddressRule rule : addresses) {
            if (rule.covers(address)) {
                return rule.apply(address);
            }
        }
        return address;
    }
}
