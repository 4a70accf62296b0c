package org.rdma4j.rocev2.udp;

import org.rdma4j.link.LinkException;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.IpText;

/** What goes wrong with a UDP socket, in words for the user; the same whichever way the socket is made. */
public final class UdpErrors {

    private UdpErrors() {}

    public static LinkException inUse(LocalAddress local, int port) {
        return new LinkException(
                LinkException.Kind.ADDRESS_IN_USE,
                where(local, port) + " is taken: another rdma4j process or the kernel's rxe driver has it"
                        + " (ss -ulpn shows a process; rdma link shows rxe)");
    }

    public static LinkException notHere(LocalAddress local) {
        return new LinkException(
                LinkException.Kind.UNREACHABLE,
                IpText.of(local.address()) + " is not an address of this host; it has "
                        + String.join(", ", LocalAddress.all()));
    }

    public static LinkException notBound(LocalAddress local, int port, String reason) {
        return new LinkException(LinkException.Kind.IO, where(local, port) + " cannot be bound: " + reason);
    }

    public static LinkException notOpened(String reason) {
        return new LinkException(LinkException.Kind.IO, "no UDP socket can be opened: " + reason);
    }

    public static LinkException notJoined(LocalAddress local, Gid group, String reason) {
        return new LinkException(
                LinkException.Kind.IO,
                "group " + IpText.of(group.toAddress()) + " cannot be joined on the interface of "
                        + IpText.of(local.address()) + ": " + reason);
    }

    public static LinkException noRoute(LocalAddress local, Gid remote, String reason) {
        return new LinkException(
                LinkException.Kind.UNREACHABLE,
                "no route from " + IpText.of(local.address()) + " to " + IpText.of(remote.toAddress()) + ": " + reason);
    }

    private static String where(LocalAddress local, int port) {
        return IpText.of(local.address()) + " port " + port;
    }
}
