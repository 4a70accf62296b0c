package org.rdma4j.rocev2.ethernet;

import java.util.List;
import org.rdma4j.link.LinkException;
import org.rdma4j.rocev2.ethernet.NetworkCard.Address;
import org.rdma4j.wire.Encapsulation;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.IpText;

/** Makes of a device's name, and of what is known of its place, what its port is. */
public final class PortConfigs {

    public static final String V1 = "roce1";
    public static final String V2 = "roce2eth";

    private PortConfigs() {}

    /**
     * @param card the interface; a made-up one, without addresses, where there is none
     * @param all the operating system's interfaces: it answers for their addresses itself, on whichever it is asked
     * @throws LinkException where the name asks for what cannot be
     */
    public static PortConfig of(PortName name, NetworkCard card, List<NetworkCard> all, int udpPort) {
        int vlanId = name.vlanId();
        boolean v1 = name.family().equals(V1);
        Address address = name.address();
        if (v1 && name.gateway() != null) {
            throw new LinkException(
                    LinkException.Kind.UNKNOWN_DEVICE,
                    name.text() + ": RoCE v1 is not routed, so no gateway leads anywhere; use " + V2);
        }
        if (v1 && address == null) {
            return PortConfig.v1(card.mac(), card.mtu(), vlanId, name.priority());
        }
        if (address == null) {
            address = vlanId > 0 ? null : card.firstAddress().orElse(null);
        } else if (address.prefixLength() == 0) {
            address = card.find(address.gid()).orElse(address);
        }
        if (address == null) {
            String reason = vlanId > 0
                    ? "the addresses of " + card.name() + " are not those of VLAN " + vlanId
                    : card.name() + " has no IP address";
            throw new LinkException(
                    LinkException.Kind.UNKNOWN_DEVICE,
                    name.text() + ": " + reason + "; name one: " + V2 + ":" + card.name() + "?"
                            + (vlanId > 0 ? "vlan=" + vlanId + "&" : "") + "address=10.9.0.5/24");
        }
        if (name.gateway() != null && name.gateway().isIpv4() != address.gid().isIpv4()) {
            throw new LinkException(
                    LinkException.Kind.UNKNOWN_DEVICE,
                    name.text() + ": the gateway is of another family than "
                            + IpText.of(address.gid().toAddress()));
        }
        if (name.gateway() != null && address.prefixLength() == 0) {
            throw new LinkException(
                    LinkException.Kind.UNKNOWN_DEVICE,
                    name.text() + ": the gateway leads to addresses outside of a prefix; name one: address="
                            + IpText.of(address.gid().toAddress())
                            + (address.gid().isIpv4() ? "/24" : "/64"));
        }
        Gid gid = address.gid();
        boolean isOwner = all.stream().allMatch(each -> each.find(gid).isEmpty());
        return new PortConfig(
                v1 ? Encapsulation.ROCE_V1 : Encapsulation.roceV2(address.gid()),
                card.mac(),
                address.gid(),
                card.mtu(),
                vlanId,
                name.priority(),
                address.prefixLength(),
                name.gateway(),
                isOwner,
                udpPort);
    }
}
