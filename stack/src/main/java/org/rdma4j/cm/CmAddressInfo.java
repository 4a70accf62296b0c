package org.rdma4j.cm;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;
import org.rdma4j.verbs.QpType;
import org.rdma4j.wire.PortSpace;

/**
 * An address that an endpoint can be made of ({@code struct rdma_addrinfo}).
 *
 * @param passive for a listener
 * @param qpType RC, UC or UD
 * @param portSpace where the port is one
 * @param source the own address, {@code null} for any; a listener's
 * @param destination the other side's; of a listener {@code null}
 */
public record CmAddressInfo(
        boolean passive, QpType qpType, PortSpace portSpace, InetSocketAddress source, InetSocketAddress destination) {

    private static final String ANY_ADDRESS = "::";
    private static final String ADDRESS = "[0-9.]+|[0-9a-fA-F:.%\\w]*:[0-9a-fA-F:.%\\w]*";

    /**
     * Finds what a name stands for ({@code rdma_getaddrinfo}), the best address first.
     *
     * @param node a name or an address; of a listener also {@code null}: any
     * @param service the port's number; {@code null} is 0: of a listener any that is free
     * @throws CmException EINVAL where name or port are none, or queue pair and port space do not go together
     */
    public static List<CmAddressInfo> lookup(String node, String service, CmAddressHints hints) {
        if (node == null && !hints.passive()) {
            throw CmException.invalid("an active side needs the name of the other one");
        }
        PortSpace space = portSpace(hints);
        QpType type = qpType(hints, space);
        int port = port(service);
        List<CmAddressInfo> found = addresses(node, hints)
                .map(address -> new InetSocketAddress(address, port))
                .map(address -> hints.passive()
                        ? new CmAddressInfo(true, type, space, address, null)
                        : new CmAddressInfo(false, type, space, hints.source(), address))
                .toList();
        if (found.isEmpty()) {
            throw CmException.invalid("%s has no address of the family %s", node, hints.family());
        }
        return found;
    }

    private static Stream<InetAddress> addresses(String node, CmAddressHints hints) {
        String name = node == null ? (hints.family() == CmAddressHints.Family.IPV4 ? "0.0.0.0" : ANY_ADDRESS) : node;
        if (hints.numericHost() && !name.matches(ADDRESS)) {
            throw CmException.invalid("%s is not a numeric address", name);
        }
        try {
            return Stream.of(InetAddress.getAllByName(name)).filter(address -> switch (hints.family()) {
                case ANY -> true;
                case IPV4 -> !(address instanceof Inet6Address);
                case IPV6 -> address instanceof Inet6Address;
            });
        } catch (UnknownHostException _) {
            throw CmException.invalid("no address is known for %s", name);
        }
    }

    private static int port(String service) {
        if (service == null) {
            return 0;
        }
        try {
            int port = Integer.parseInt(service);
            CmException.requireRange("a port", port, 0xFFFF);
            return port;
        } catch (NumberFormatException _) {
            throw CmException.invalid("a service is given by its port's number, not as %s", service);
        }
    }

    /** As librdmacm completes the hints: datagrams are in UDP's space, all else in TCP's. */
    private static PortSpace portSpace(CmAddressHints hints) {
        if (hints.portSpace() != null) {
            return hints.portSpace();
        }
        return hints.qpType() == QpType.UD ? PortSpace.UDP : PortSpace.TCP;
    }

    private static QpType qpType(CmAddressHints hints, PortSpace space) {
        boolean datagrams = space == PortSpace.UDP || space == PortSpace.IPOIB;
        if (hints.qpType() == null) {
            return datagrams ? QpType.UD : QpType.RC;
        }
        boolean fits = switch (hints.qpType()) {
            case RC, UC -> !datagrams;
            case UD -> datagrams;
            case GSI, XRC_SEND, XRC_RECV -> false;
        };
        if (!fits) {
            throw CmException.invalid("%s does not go with port space %s", hints.qpType(), space);
        }
        return hints.qpType();
    }
}
