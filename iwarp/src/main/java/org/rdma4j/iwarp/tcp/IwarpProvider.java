package org.rdma4j.iwarp.tcp;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
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
        return IwarpName.FAMILY;
    }

    @Override
    public Engine open(String address, LinkOptions options, IntSupplier random, AsyncEventListener listener) {
        IwarpName name = IwarpName.parse(address);
        try {
            TcpNetwork network =
                    new TcpNetwork(family() + ":" + address, name.address(), options.receiveBuffer(), name.keepAlive());
            IwarpEngine engine = new IwarpEngine(network, random, listener);
            engine.settings(name.settings());
            return engine;
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
