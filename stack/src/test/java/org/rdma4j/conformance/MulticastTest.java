package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.AddressHandle;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QpType;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.VerbsException;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.Gid;

/** Group UD, its rows about multicast: who is in a group, and who gets what is sent to it (10.5). */
class MulticastTest extends UdScene {

    private static final int ALL = 0xFF_FFFF;
    private static final Gid GROUP = Gid.ofIpv4(0xEF01_0203);
    private static final Gid OTHER = Gid.ofIpv4(0xEF01_0204);

    @BeforeEach
    void open() {
        openUd(new Setup());
    }

    private static WirePacket toAll(int psn) {
        return good(psn).destQp(ALL);
    }

    private void sendsTo(Gid group, WirePacket packet) {
        peer.sends(HandPlayedLink.PEER, group, packet);
    }

    /** One more queue pair, with a receive posted. */
    private QueuePair another(long receiveId, int qKey) {
        QueuePair qp = device.pd.createQp(device.attributes(device.cq));
        qp.modify(new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).qkey(qKey));
        qp.modify(new QpAttributes().state(QpState.RTR));
        qp.modify(new QpAttributes().state(QpState.RTS).sqPsn(0));
        qp.postReceive(new ReceiveWorkRequest().reset(receiveId).sge(region, 8192 + 256 * receiveId, 128));
        return qp;
    }

    private Set<Long> completed() {
        List<Long> ids = new ArrayList<>();
        WorkCompletion completion = new WorkCompletion();
        while (device.cq.poll(completion)) {
            assertTrue(completion.isSuccess(), completion::toString);
            ids.add(completion.wrId());
        }
        assertEquals(ids.size(), Set.copyOf(ids).size(), ids::toString);
        return Set.copyOf(ids);
    }

    @Test
    @DisplayName("UD-10: each queue pair that is attached to the group gets the datagram once, and no other does")
    void delivered() {
        receives(1, 0, 64);
        QueuePair second = another(2, Q_KEY);
        another(3, Q_KEY);
        device.qp.attachMulticast(GROUP, 0);
        second.attachMulticast(GROUP, 0xC001);
        assertEquals(Set.of(GROUP), peer.groups());
        sendsTo(GROUP, toAll(n).payload(64));
        assertEquals(Rule.ACCEPTED, peer.decision());
        assertEquals(Set.of(1L, 2L), completed());
        sendsTo(OTHER, toAll(n).payload(64));
        assertEquals(Rule.MULTICAST_UNATTACHED, peer.decision());
        peer.expectsNothing();
    }

    @Test
    @DisplayName("UD-10: each of them checks Q_Key, state and receives for itself")
    void checkedEachForItself() {
        QueuePair wrongKey = another(2, Q_KEY + 1);
        QueuePair right = another(3, Q_KEY);
        for (QueuePair qp : List.of(device.qp, wrongKey, right)) {
            qp.attachMulticast(GROUP, 0);
        }
        sendsTo(GROUP, toAll(n).payload(8)); // the first one has no receive
        assertEquals(Rule.ACCEPTED, peer.decision());
        assertEquals(Set.of(3L), completed());
        right.modify(new QpAttributes().state(QpState.RESET));
        sendsTo(GROUP, toAll(n).payload(8));
        assertFalse(peer.decision().accepted());
        completed();
    }

    @Test
    @DisplayName("UD-10: whoever is detached gets no more, and the link leaves the group with the last one")
    void detached() {
        receives(1, 0, 64);
        QueuePair second = another(2, Q_KEY);
        device.qp.attachMulticast(GROUP, 0);
        second.attachMulticast(GROUP, 0);
        second.attachMulticast(OTHER, 0);
        second.detachMulticast(GROUP, 0);
        assertEquals(Set.of(GROUP, OTHER), peer.groups());
        sendsTo(GROUP, toAll(n).payload(64));
        assertEquals(Set.of(1L), completed());
        device.qp.detachMulticast(GROUP, 0);
        assertEquals(Set.of(OTHER), peer.groups());
        sendsTo(GROUP, toAll(n).payload(64));
        assertEquals(Rule.MULTICAST_UNATTACHED, peer.decision());
        sendsTo(OTHER, toAll(n).payload(64));
        assertEquals(Set.of(2L), completed());
    }

    @Test
    @DisplayName("UD-11: QP 0xFFFFFF with an address that is no group is dropped")
    void noGroup() {
        receives(1, 0, 64);
        device.qp.attachMulticast(GROUP, 0);
        sendsTo(HandPlayedLink.DEVICE, toAll(n).payload(8));
        assertEquals(Rule.MULTICAST_ADDRESS, peer.decision());
        assertEquals(Set.of(), completed());
    }

    @Test
    @DisplayName("UD-11: a packet to a group that is no datagram, or none that is whole, is dropped")
    void noDatagram() {
        receives(1, 0, 64);
        device.qp.attachMulticast(GROUP, 0);
        sendsTo(GROUP, Packets.sendOnly(n).destQp(ALL).payload(64));
        assertEquals(Rule.OPCODE_CLASS, peer.decision());
        sendsTo(GROUP, toAll(n).payload(0).cutBy(4));
        assertEquals(Rule.TOO_SHORT, peer.decision());
        assertEquals(Set.of(), completed());
    }

    @Test
    @DisplayName("UD-13: what a queue pair sends to a group comes back to the others here, and not to itself")
    void ownDatagrams() {
        receives(1, 0, 64);
        QueuePair second = another(2, Q_KEY);
        device.qp.attachMulticast(GROUP, 0);
        second.attachMulticast(GROUP, 0);
        WirePacket own = toAll(n).deth(Q_KEY, device.qpn()).payload(8);
        peer.sends(HandPlayedLink.DEVICE, GROUP, own);
        assertEquals(Rule.ACCEPTED, peer.decision());
        assertEquals(Set.of(2L), completed());
        second.detachMulticast(GROUP, 0);
        peer.sends(HandPlayedLink.DEVICE, GROUP, own);
        assertEquals(Rule.MULTICAST_OWN, peer.decision());
        // The same number elsewhere is another queue pair.
        sendsTo(GROUP, own);
        assertEquals(Set.of(1L), completed());
    }

    @Test
    @DisplayName(
            "UD-12: a datagram to a group leaves for its address and QP 0xFFFFFF, and goes no farther than one hop")
    void sending() {
        try (AddressHandle group = device.pd.createAh(AhAttributes.to(GROUP))) {
            device.posts(datagram(WrOpcode.SEND, 1).ud(group, ALL, Q_KEY));
            assertEquals(GROUP, peer.lastRoute().remote());
            assertEquals(1, peer.lastRoute().hopLimit());
            peer.expects(Packets.datagram(m).destQp(ALL));
        }
    }

    @Test
    @DisplayName("UD-10: only UD queue pairs are attached, only to groups, and only once")
    void refused() {
        QueuePair rc = device.pd.createQp(QpInitAttributes.rc(device.cq));
        assertEquals(QpType.RC, rc.initAttributes().type());
        assertRefused("RC", () -> rc.attachMulticast(GROUP, 0));
        assertRefused("10.0.0.1", () -> device.qp.attachMulticast(HandPlayedLink.DEVICE, 0));
        device.qp.attachMulticast(GROUP, 0);
        assertRefused("already", () -> device.qp.attachMulticast(GROUP, 0));
        assertRefused("not attached", () -> device.qp.detachMulticast(OTHER, 0));
        VerbsException busy = assertThrows(VerbsException.class, device.qp::close);
        assertEquals(VerbsException.Errno.EBUSY, busy.errno());
        device.qp.detachMulticast(GROUP, 0);
        device.qp.close();
    }

    private static void assertRefused(String why, Runnable attempt) {
        VerbsException refusal = assertThrows(VerbsException.class, attempt::run);
        assertEquals(VerbsException.Errno.EINVAL, refusal.errno());
        assertTrue(refusal.getMessage().contains(why), refusal::getMessage);
    }

    @Test
    @DisplayName("UD-10: a device has room for so many groups, and a group for so many queue pairs")
    void limits() {
        int groups = device.context.queryDevice().maxMcastGrp();
        for (int index = 0; index < groups; index++) {
            device.qp.attachMulticast(Gid.ofIpv4(0xE000_1000 + index), 0);
        }
        VerbsException full = assertThrows(VerbsException.class, () -> device.qp.attachMulticast(GROUP, 0));
        assertEquals(VerbsException.Errno.ENOMEM, full.errno());
        Gid first = Gid.ofIpv4(0xE000_1000);
        int members = device.context.queryDevice().maxMcastQpAttach();
        for (int index = 1; index < members; index++) {
            another(index, Q_KEY).attachMulticast(first, 0);
        }
        QueuePair last = another(0, Q_KEY);
        assertThrows(VerbsException.class, () -> last.attachMulticast(first, 0));
    }

    private static Gid gid(String address) {
        try {
            return Gid.of(InetAddress.getByName(address));
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"224.0.0.1", "239.255.255.255", "ff02::1", "ff0e::1234", "ff18:1::5"})
    @DisplayName("UD-10: these are groups")
    void areGroups(String address) {
        assertTrue(gid(address).isMulticast());
    }

    @ParameterizedTest
    @ValueSource(strings = {"223.255.255.255", "240.0.0.0", "10.0.0.1", "fe80::1", "::ff02:1", "fd00::ff"})
    @DisplayName("UD-11: these are not")
    void areNoGroups(String address) {
        assertFalse(gid(address).isMulticast());
    }
}
