package org.rdma4j.cm;

import java.net.InetSocketAddress;
import org.rdma4j.verbs.QpType;
import org.rdma4j.wire.PortSpace;

/**
 * What {@link CmAddressInfo#lookup} shall look for (the hints of {@code rdma_getaddrinfo}); every {@code with…} gives a
 * changed copy.
 *
 * @param passive for a listener: the name is the own address, none is any ({@code RAI_PASSIVE})
 * @param numericHost the name is an address, nothing that is asked a name server for ({@code RAI_NUMERICHOST})
 * @param family which addresses
 * @param portSpace of the port, or {@code null} for the one that the queue pair's type goes with
 * @param qpType or {@code null} for the one that the port space goes with
 * @param source the own address of an active side, or {@code null} for any
 */
public record CmAddressHints(
        boolean passive,
        boolean numericHost,
        Family family,
        PortSpace portSpace,
        QpType qpType,
        InetSocketAddress source) {

    /** Which addresses a name may stand for. */
    public enum Family {
        ANY,
        IPV4,
        IPV6
    }

    /** The active side of a reliable connection. */
    public static CmAddressHints active() {
        return new CmAddressHints(false, false, Family.ANY, null, null, null);
    }

    /** A listener for reliable connections. */
    public static CmAddressHints listener() {
        return new CmAddressHints(true, false, Family.ANY, null, null, null);
    }

    /** No name server is asked. */
    public CmAddressHints withNumericHost() {
        return new CmAddressHints(passive, true, family, portSpace, qpType, source);
    }

    public CmAddressHints withFamily(Family value) {
        return new CmAddressHints(passive, numericHost, value, portSpace, qpType, source);
    }

    public CmAddressHints withPortSpace(PortSpace value) {
        return new CmAddressHints(passive, numericHost, family, value, qpType, source);
    }

    public CmAddressHints withQpType(QpType value) {
        return new CmAddressHints(passive, numericHost, family, portSpace, value, source);
    }

    public CmAddressHints withSource(InetSocketAddress value) {
        return new CmAddressHints(passive, numericHost, family, portSpace, qpType, value);
    }
}
