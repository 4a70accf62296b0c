package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rdma4j.conformance.Packets.ack;
import static org.rdma4j.conformance.Packets.fetchAdd;
import static org.rdma4j.conformance.Packets.read;
import static org.rdma4j.conformance.Packets.sendFirst;
import static org.rdma4j.conformance.Packets.sendLast;
import static org.rdma4j.conformance.Packets.writeFirst;
import static org.rdma4j.conformance.Packets.writeMiddle;
import static org.rdma4j.conformance.Packets.writeOnly;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.AsyncEventType;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceOptions;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.Progress;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.Syndrome;

/** Group KEY: R_Keys, ranges, rights, P_Keys (9.7.4.1.5, 10.6, 10.9). */
class KeyTest extends RcScene {

    enum Access {
        WRITE(AccessFlags.REMOTE_WRITE),
        READ(AccessFlags.REMOTE_READ),
        ATOMIC(AccessFlags.REMOTE_ATOMIC);

        final int right;

        Access(int right) {
            this.right = right;
        }

        /** A request of eight bytes. */
        WirePacket request(int psn, long address, int key) {
            return switch (this) {
                case WRITE -> writeOnly(psn).reth(address, key, 8).payload(8).ackReq();
                case READ -> read(psn).reth(address, key, 8);
                case ATOMIC -> fetchAdd(psn).atomic(address, key, 1, 0);
            };
        }
    }

    private void denied(WirePacket packet) {
        peer.sends(packet);
        refused(Rule.REMOTE_ACCESS, n, Syndrome.NAK_REMOTE_ACCESS, AsyncEventType.QP_ACCESS_ERR);
        memory.isUntouched();
    }

    @ParameterizedTest
    @EnumSource(Access.class)
    @DisplayName("KEY-01: an R_Key that nothing has gets a NAK Remote Access Error")
    void unknownKey(Access access) {
        connect(new Setup());
        denied(access.request(n, region.address(), 0x01020304));
    }

    @ParameterizedTest(name = "bit {0}")
    @ValueSource(ints = {0, 7, 8, 31})
    @DisplayName("KEY-02: one bit of the key wrong, in the index or in the owner's byte, is another key")
    void oneBitOff(int bit) {
        connect(new Setup());
        denied(Access.WRITE.request(n, region.address(), region.rKey() ^ 1 << bit));
    }

    @ParameterizedTest
    @EnumSource(Access.class)
    @DisplayName("KEY-03: a region of another protection domain is out of reach")
    void otherDomain(Access access) {
        connect(new Setup());
        MemoryRegion foreign = device.context.allocPd().register(memory.inside(), Setup.ALL_ACCESS);
        denied(access.request(n, foreign.address(), foreign.rKey()));
    }

    @ParameterizedTest(name = "offset {0}")
    @ValueSource(longs = {-8, -1, SIZE - 7, SIZE, SIZE + 8L, Long.MIN_VALUE, Long.MAX_VALUE})
    @DisplayName("KEY-04: a range that is not all inside of the region is out of reach")
    void outOfRange(long offset) {
        connect(new Setup());
        denied(Access.WRITE.request(n, region.address() + offset, region.rKey()));
    }

    @ParameterizedTest(name = "from {0} bytes below 2^64")
    @ValueSource(longs = {1, 7, 8})
    @DisplayName("KEY-04: nor does a range that runs over the end of all addresses get anywhere")
    void wrapsAround(long below) {
        connect(new Setup());
        MemoryRegion atZero = device.pd.register(memory.inside(), 0, Setup.ALL_ACCESS);
        denied(Access.WRITE.request(n, -below, atZero.rKey()));
    }

    @Test
    @DisplayName("KEY-04: a region that ends where all addresses end is reached to its last byte, and no further")
    void regionAtTheEnd() {
        connect(new Setup());
        MemoryRegion atEnd = device.pd.register(memory.inside(), -SIZE, Setup.ALL_ACCESS);
        WirePacket write = Access.WRITE.request(n, -8, atEnd.rKey());
        peer.sends(write);
        peer.expects(ack(n));
        memory.holds(SIZE - 8, write.bytes());
        peer.sends(Access.WRITE.request(plus(n, 1), -7, atEnd.rKey()));
        refused(Rule.REMOTE_ACCESS, plus(n, 1), Syndrome.NAK_REMOTE_ACCESS, AsyncEventType.QP_ACCESS_ERR);
    }

    @ParameterizedTest
    @EnumSource(Access.class)
    @DisplayName("KEY-05: a region without the right is out of reach")
    void regionWithoutRight(Access access) {
        connect(new Setup());
        MemoryRegion limited = device.register(memory.inside(), Setup.ALL_ACCESS & ~access.right);
        denied(access.request(n, limited.address(), limited.rKey()));
    }

    @ParameterizedTest
    @EnumSource(Access.class)
    @DisplayName("KEY-06: a queue pair without the right says Invalid Request, before any look at the key")
    void qpWithoutRight(Access access) {
        connect(new Setup().withAccess(Setup.ALL_ACCESS & ~access.right));
        peer.sends(access.request(n, 1, 2));
        refused(Rule.QP_ACCESS, n, Syndrome.NAK_INVALID_REQUEST, AsyncEventType.QP_REQ_ERR);
    }

    @Test
    @DisplayName("KEY-07: a key is worth nothing after deregistration")
    void deregistered() {
        connect(new Setup());
        MemoryRegion other = device.register(memory.inside());
        other.close();
        denied(Access.WRITE.request(n, other.address(), other.rKey()));
    }

    @Test
    @DisplayName("KEY-07: nor after LOCAL_INV, which completes behind what was posted before it")
    void invalidatedLocally() {
        connect(new Setup());
        MemoryRegion other = device.register(memory.inside());
        device.posts(WrOpcode.RDMA_WRITE, 1, 8);
        device.posts(Host.request(WrOpcode.LOCAL_INV, 2).invalidate(other.rKey()));
        device.completesNothing();
        peer.getsAll();
        peer.sends(ack(m));
        device.completes(1);
        device.completes(2);
        denied(Access.WRITE.request(n, other.address(), other.rKey()));
    }

    @Test
    @DisplayName("KEY-07: LOCAL_INV of a key that is not there, or another domain's, fails")
    void invalidatesNothing() {
        connect(new Setup());
        MemoryRegion foreign = device.context.allocPd().register(memory.inside(), Setup.ALL_ACCESS);
        device.posts(Host.request(WrOpcode.LOCAL_INV, 1).invalidate(foreign.rKey()));
        device.completes(1, WcStatus.LOC_QP_OP_ERR);
        device.isIn(QpState.ERR);
    }

    @Test
    @DisplayName("KEY-07: re-registered with fewer rights a key gives no more than those")
    void reregistered() {
        connect(new Setup());
        MemoryRegion other = device.register(memory.inside());
        other.reregister(AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ);
        peer.sends(Access.READ.request(n, other.address(), other.rKey()));
        assertEquals(Rule.ACCEPTED, peer.decision());
        peer.getsAll();
        peer.sends(Access.WRITE.request(plus(n, 1), other.address(), other.rKey()));
        refused(Rule.REMOTE_ACCESS, plus(n, 1), Syndrome.NAK_REMOTE_ACCESS, AsyncEventType.QP_ACCESS_ERR);
    }

    @Test
    @DisplayName("KEY-09: a region that goes in the middle of a WRITE ends it at the next packet")
    void goesInTheMiddle() {
        connect(new Setup());
        MemoryRegion other = device.register(memory.inside());
        WirePacket first = writeFirst(n).at(other, 0, 700).payload(256);
        peer.sends(first);
        other.close();
        peer.sends(writeMiddle(plus(n, 1)).payload(256));
        refused(Rule.REMOTE_ACCESS, plus(n, 1), Syndrome.NAK_REMOTE_ACCESS, AsyncEventType.QP_ACCESS_ERR);
        memory.holds(0, first.bytes());
        memory.isUntouched(256, 444);
    }

    @Test
    @DisplayName(
            "KEY-09: a receive's region that goes in the middle of a SEND fails the receive: Remote Operational Error")
    void receiveGoesInTheMiddle() {
        connect(new Setup());
        MemoryRegion other = device.register(memory.inside());
        device.qp.postReceive(new org.rdma4j.verbs.ReceiveWorkRequest().reset(1).sge(other, 0, 1000));
        peer.sends(sendFirst(n).payload(256));
        other.close();
        peer.sends(sendLast(plus(n, 1)).payload(8));
        refused(Rule.RECEIVE_FAULT, plus(n, 1), Syndrome.NAK_REMOTE_OPERATIONAL, null);
        device.completes(1, WcStatus.LOC_PROT_ERR);
        memory.isUntouched(256, 444);
    }

    @Test
    @DisplayName("KEY-09: a request whose memory goes before it is sent again fails locally, and nothing of it is read")
    void goesBeforeTheResend() {
        connect(new Setup());
        MemoryRegion other = device.register(memory.inside());
        device.posts(Host.request(WrOpcode.RDMA_WRITE, 1).sge(other, 0, 8));
        device.posts(WrOpcode.RDMA_WRITE, 2, 8);
        peer.getsAll();
        other.close();
        passes(timeout(14));
        peer.expectsNothing();
        device.completes(1, WcStatus.LOC_PROT_ERR);
        device.completes(2, WcStatus.WR_FLUSH_ERR);
    }

    @Test
    @DisplayName("KEY-09: likewise while it waits for room, and what was posted before it completes first")
    void goesWhileItWaits() {
        connect(new Setup().withPathMtu(4096).withReceiveBuffer(64 << 10));
        MemoryRegion other = device.register(memory.inside());
        device.posts(WrOpcode.RDMA_WRITE, 1, SIZE); // fills the window
        device.posts(Host.request(WrOpcode.RDMA_WRITE, 2).sge(other, 0, SIZE));
        int sent = peer.getsAll().size();
        other.close();
        for (int acked = 0; acked < SIZE / 4096; acked++) {
            peer.sends(ack(plus(m, acked)));
            sent += peer.getsAll().size();
        }
        assertEquals(SIZE / 4096, sent, "packets of the first request, none of the second");
        device.completes(1);
        device.completes(2, WcStatus.LOC_PROT_ERR);
    }

    @Test
    @DisplayName("KEY-10: L_Key and R_Key are one number; without remote rights it opens nothing")
    void localKeyOnTheWire() {
        connect(new Setup());
        MemoryRegion local = device.register(memory.inside(), AccessFlags.LOCAL_WRITE);
        assertEquals(local.lKey(), local.rKey());
        denied(Access.READ.request(n, local.address(), local.lKey()));
    }

    @ParameterizedTest(name = "P_Key {0}: accepted {1}")
    @CsvSource({"0xFFFF, true", "0x7FFF, true", "0x8001, false", "0x0001, false", "0x0000, false", "0x8000, false"})
    @DisplayName(
            "KEY-11, KEY-12, KEY-13: a P_Key of another partition, or none, is dropped in silence; one full member is enough")
    void pKeys(String pKey, boolean accepted) {
        connect(new Setup());
        peer.sends(Access.WRITE.request(n, region.address(), region.rKey()).pKey(Integer.decode(pKey)));
        if (accepted) {
            peer.expects(ack(n));
        } else {
            peer.expectsNothing();
            device.counted(Rule.PKEY_MISMATCH, 1);
            memory.isUntouched();
            isAlive(n);
        }
    }

    @Test
    @DisplayName(
            "KEY-17: keys and queue pair numbers are drawn from a secure source: all bits move, no step is repeated")
    void unpredictable() {
        HandPlayedLink link = new HandPlayedLink(ladder);
        try (DeviceContext context =
                DeviceContext.on(link, DeviceOptions.defaults().withProgress(Progress.CALLER))) {
            ProtectionDomain pd = context.allocPd();
            Set<Integer> keySteps = new HashSet<>();
            Set<Integer> qpnSteps = new HashSet<>();
            int keyBits = 0;
            int qpnBits = 0;
            int key = 0;
            int qpn = 0;
            for (int i = 0; i < 1000; i++) {
                int nextKey = pd.register(memory.inside(), Setup.ALL_ACCESS).rKey();
                int nextQpn =
                        pd.createQp(QpInitAttributes.rc(context.createCq(1))).qpNum();
                keySteps.add(nextKey - key);
                qpnSteps.add(nextQpn - qpn);
                keyBits |= i == 0 ? 0 : nextKey ^ key;
                qpnBits |= i == 0 ? 0 : nextQpn ^ qpn;
                key = nextKey;
                qpn = nextQpn;
            }
            assertEquals(-1, keyBits, "bits of keys that move");
            assertEquals(0xFFFFFF, qpnBits, "bits of queue pair numbers that move");
            // 1000 random steps of 24 bits repeat one with a chance of 3 %, of 32 bits with 0.01 %.
            assertTrue(keySteps.size() >= 998, () -> keySteps.size() + " different steps of keys");
            assertTrue(qpnSteps.size() >= 990, () -> qpnSteps.size() + " different steps of numbers");
        }
    }
}
