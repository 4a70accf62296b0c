package org.rdma4j.tools.cm;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.rdma4j.tools.DeviceArgument;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;
import org.rdma4j.wire.IpText;

/** Addresses as the user writes them, and the device that has or reaches one. */
public final class CmAddress {

    private CmAddress() {}

    /** @throws ToolException where nobody knows the name */
    public static InetAddress of(String host) {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new ToolException(ExitStatus.FAILED, "no such host: " + host, e);
        }
    }

    /** The device of a server that binds to an address, or to none. */
    static String serving(String address) {
        return address == null ? DeviceArgument.NEAR : "roce2:" + IpText.of(of(address));
    }

    public static String text(InetSocketAddress address) {
        return IpText.of(address.getAddress()) + " port " + address.getPort();
    }
}
