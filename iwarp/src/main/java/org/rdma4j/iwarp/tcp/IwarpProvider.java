package org.rdma4j.iwarp.tcp;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.function.IntSupplier;
import org.rdma4j.iwarp.rdmap.IwarpEngine;
import org.rdma4j.iwarp.stream.StreamException;
import org.rdma4j.link.LinkException;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.transport.AsyncEventListener;
import org.rdma4j.transport.Engine;
import org.rdma4j.transport.EngineProvider;

/** {@code iwarp:10.0.0.1}: TCP of an address of this host. */
public final class IwarpProvider implements EngineProvider {

    @Override
    public String family() {
        return "iwarp";
    }

    @Override
    public Engine open(String address, LinkOptions options, IntSupplier random, AsyncEventListener listener) {
        try {
            InetAddress local = InetAddress.getByName(address);
            if (address.isBlank() || local.isAnyLocalAddress() || local.isMulticastAddress()) {
                throw new LinkException(
                        LinkException.Kind.UNKNOWN_DEVICE,
                        "iwarp:" + address + ": a device needs one address of this host, not a wildcard or a group");
            }
            TcpNetwork network = new TcpNetwork(family() + ":" + address, local, options.receiveBuffer());
            return new IwarpEngine(network, random, listener);
        } catch (UnknownHostException e) {
            throw new LinkException(
                    LinkException.Kind.UNKNOWN_DEVICE, "iwarp:" + address + ": no such address or host", e);
        } catch (StreamException e) {
            throw new LinkException(LinkException.Kind.UNREACHABLE, "iwarp:" + address + ": " + e.getMessage(), e);
        }
    }

    @Override
    public List<String> discover() {
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .map(each -> family() + ":" + literal(each))
                    .toList();
        } catch (SocketException _) {
            return List.of();
        }
    }

    /** Without the interface's name behind it. */
    private static String literal(InetAddress address) {
        String text = address.getHostAddress();
        int zone = text.indexOf('%');
        return zone < 0 ? text : text.substring(0, zone);
    }
}
