package org.rdma4j.ibsim.mad;

import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.rdma4j.ibsim.fabric.Node;
import org.rdma4j.ibsim.fabric.Port;
import org.rdma4j.ibsim.fabric.PortCounters;
import org.rdma4j.ibsim.fabric.Switch;

/**
 * The performance management agent of a node: its ports' counters, read and cleared (IBTA volume 1, 16.1). The narrow
 * counters stop at their largest value until somebody clears them.
 */
final class PerformanceAgent {

    private static final int CLASS_PORT_INFO = 0x01;
    private static final int PORT_COUNTERS = 0x12;
    private static final int PORT_COUNTERS_EXTENDED = 0x1D;

    private static final int ALL_PORTS = 255;
    private static final int PORT_SELECT = Mad.DATA + 1;
    private static final int COUNTER_SELECT = Mad.DATA + 2;
    private static final int COUNTER_SELECT_2 = Mad.DATA + 18;
    private static final int CLASS_VERSION = 1;

    /** AllPortSelect, extended counters, and PortXmitWait. */
    private static final int CAPABILITIES = 0x1300;

    private static final int XMIT_WAIT_SELECT = 1 << 16;

    /** One counter of the attribute: where it stands, its bits, and the bit of CounterSelect that clears it. */
    private record Field(int offset, int bits, int select) {}

    private static final Field SYMBOL = new Field(4, 16, 0);
    private static final Field RECOVERY = new Field(6, 8, 1);
    private static final Field DOWNED = new Field(7, 8, 2);
    private static final Field RCV_ERRORS = new Field(8, 16, 3);
    private static final Field REMOTE_PHYSICAL = new Field(10, 16, 4);
    private static final Field RELAY = new Field(12, 16, 5);
    private static final Field DISCARDS = new Field(14, 16, 6);
    private static final Field XMIT_CONSTRAINT = new Field(16, 8, 7);
    private static final Field RCV_CONSTRAINT = new Field(17, 8, 8);
    private static final Field INTEGRITY = new Field(19, 4, 9);
    private static final Field OVERRUN = new Field(19, -4, 10);
    private static final Field VL15_DROPPED = new Field(22, 16, 11);
    private static final Field XMIT_DATA = new Field(24, 32, 12);
    private static final Field RCV_DATA = new Field(28, 32, 13);
    private static final Field XMIT_PACKETS = new Field(32, 32, 14);
    private static final Field RCV_PACKETS = new Field(36, 32, 15);
    private static final Field XMIT_WAIT = new Field(40, 32, 16);

    private static final Field X_XMIT_DATA = new Field(8, 64, 0);
    private static final Field X_RCV_DATA = new Field(16, 64, 1);
    private static final Field X_XMIT_PACKETS = new Field(24, 64, 2);
    private static final Field X_RCV_PACKETS = new Field(32, 64, 3);
    private static final Field X_UNICAST_XMIT = new Field(40, 64, 4);
    private static final Field X_UNICAST_RCV = new Field(48, 64, 5);
    private static final Field X_MULTICAST_XMIT = new Field(56, 64, 6);
    private static final Field X_MULTICAST_RCV = new Field(64, 64, 7);

    private final Node node;

    PerformanceAgent(Node node) {
        this.node = node;
    }

    /** Answers a Get or Set in place. */
    void answer(Mad mad, int arrivedAt) {
        int status = switch (mad.attribute()) {
            case CLASS_PORT_INFO -> classPortInfo(mad);
            case PORT_COUNTERS -> counters(mad, arrivedAt, false);
            case PORT_COUNTERS_EXTENDED -> counters(mad, arrivedAt, true);
            default -> Mad.BAD_ATTRIBUTE;
        };
        if (mad.method() != Mad.GET && mad.method() != Mad.SET) {
            status = Mad.BAD_METHOD;
        }
        mad.setMethod(Mad.GET_RESP);
        mad.setStatus(status);
    }

    private static int classPortInfo(Mad mad) {
        mad.data().fill((byte) 0);
        mad.setInt8(Mad.DATA, 1);
        mad.setInt8(Mad.DATA + 1, CLASS_VERSION);
        mad.setInt16(Mad.DATA + 2, CAPABILITIES);
        return Mad.OK;
    }

    private int counters(Mad mad, int arrivedAt, boolean extended) {
        int select = mad.int8(PORT_SELECT);
        int number = select == 0 && !(node instanceof Switch) ? arrivedAt : select;
        if (number != ALL_PORTS && !node.hasPort(number)) {
            return Mad.INVALID_FIELD;
        }
        int clear =
                mad.int16(COUNTER_SELECT) | (!extended && (mad.int8(COUNTER_SELECT_2) & 1) != 0 ? XMIT_WAIT_SELECT : 0);
        boolean set = mad.method() == Mad.SET;
        mad.bytes().asSlice(Mad.DATA + 4L, Mad.LENGTH - Mad.DATA - 4L).fill((byte) 0);
        if (number == ALL_PORTS) {
            PortCounters sum = new PortCounters();
            for (int at = 1; at <= node.portCount(); at++) {
                add(sum, node.port(at).counters());
                if (set) {
                    fields(new Mad(), node.port(at).counters(), extended, clear);
                }
            }
            fields(mad, sum, extended, 0);
        } else {
            Port port = node.port(number);
            if (set) {
                fields(new Mad(), port.counters(), extended, clear);
            }
            fields(mad, port.counters(), extended, 0);
        }
        return Mad.OK;
    }

    /** Writes each counter, and clears those that are selected. */
    private static void fields(Mad mad, PortCounters c, boolean extended, int clear) {
        Writer w = new Writer(mad, clear);
        if (extended) {
            w.field(X_XMIT_DATA, () -> c.xmitData, v -> c.xmitData = v);
            w.field(X_RCV_DATA, () -> c.rcvData, v -> c.rcvData = v);
            w.field(X_XMIT_PACKETS, () -> c.xmitPackets, v -> c.xmitPackets = v);
            w.field(X_RCV_PACKETS, () -> c.rcvPackets, v -> c.rcvPackets = v);
            w.field(X_UNICAST_XMIT, () -> c.unicastXmitPackets, v -> c.unicastXmitPackets = v);
            w.field(X_UNICAST_RCV, () -> c.unicastRcvPackets, v -> c.unicastRcvPackets = v);
            w.field(X_MULTICAST_XMIT, () -> c.multicastXmitPackets, v -> c.multicastXmitPackets = v);
            w.field(X_MULTICAST_RCV, () -> c.multicastRcvPackets, v -> c.multicastRcvPackets = v);
            return;
        }
        w.field(SYMBOL, () -> c.symbolErrors, v -> c.symbolErrors = v);
        w.field(RECOVERY, () -> c.linkErrorRecovery, v -> c.linkErrorRecovery = v);
        w.field(DOWNED, () -> c.linkDowned, v -> c.linkDowned = v);
        w.field(RCV_ERRORS, () -> c.rcvErrors, v -> c.rcvErrors = v);
        w.field(REMOTE_PHYSICAL, () -> c.rcvRemotePhysicalErrors, v -> c.rcvRemotePhysicalErrors = v);
        w.field(RELAY, () -> c.rcvSwitchRelayErrors, v -> c.rcvSwitchRelayErrors = v);
        w.field(DISCARDS, () -> c.xmitDiscards, v -> c.xmitDiscards = v);
        w.field(XMIT_CONSTRAINT, () -> c.xmitConstraintErrors, v -> c.xmitConstraintErrors = v);
        w.field(RCV_CONSTRAINT, () -> c.rcvConstraintErrors, v -> c.rcvConstraintErrors = v);
        w.field(INTEGRITY, () -> c.localLinkIntegrityErrors, v -> c.localLinkIntegrityErrors = v);
        w.field(OVERRUN, () -> c.excessiveBufferOverruns, v -> c.excessiveBufferOverruns = v);
        w.field(VL15_DROPPED, () -> c.vl15Dropped, v -> c.vl15Dropped = v);
        w.field(XMIT_DATA, () -> c.xmitData, v -> c.xmitData = v);
        w.field(RCV_DATA, () -> c.rcvData, v -> c.rcvData = v);
        w.field(XMIT_PACKETS, () -> c.xmitPackets, v -> c.xmitPackets = v);
        w.field(RCV_PACKETS, () -> c.rcvPackets, v -> c.rcvPackets = v);
        w.field(XMIT_WAIT, () -> c.xmitWait, v -> c.xmitWait = v);
    }

    private record Writer(Mad mad, int clear) {

        void field(Field field, LongSupplier get, LongConsumer set) {
            if ((clear >> field.select & 1) != 0) {
                set.accept(0);
            }
            int at = Mad.DATA + field.offset;
            long value = get.getAsLong();
            switch (field.bits) {
                case 4 -> mad.setInt8(at, (int) Math.min(value, 15) << 4 | mad.int8(at));
                case -4 -> mad.setInt8(at, (int) Math.min(value, 15) | mad.int8(at)); // the low half of its byte
                case 8 -> mad.setInt8(at, (int) Math.min(value, 0xFF));
                case 16 -> mad.setInt16(at, (int) Math.min(value, 0xFFFF));
                case 32 -> mad.setInt32(at, (int) Math.min(value, 0xFFFF_FFFFL));
                default -> mad.setInt64(at, value);
            }
        }
    }

    private static void add(PortCounters sum, PortCounters one) {
        sum.xmitData += one.xmitData;
        sum.rcvData += one.rcvData;
        sum.xmitPackets += one.xmitPackets;
        sum.rcvPackets += one.rcvPackets;
        sum.unicastXmitPackets += one.unicastXmitPackets;
        sum.unicastRcvPackets += one.unicastRcvPackets;
        sum.multicastXmitPackets += one.multicastXmitPackets;
        sum.multicastRcvPackets += one.multicastRcvPackets;
        sum.xmitWait += one.xmitWait;
        sum.symbolErrors += one.symbolErrors;
        sum.linkErrorRecovery += one.linkErrorRecovery;
        sum.linkDowned += one.linkDowned;
        sum.rcvErrors += one.rcvErrors;
        sum.rcvRemotePhysicalErrors += one.rcvRemotePhysicalErrors;
        sum.rcvSwitchRelayErrors += one.rcvSwitchRelayErrors;
        sum.xmitDiscards += one.xmitDiscards;
        sum.xmitConstraintErrors += one.xmitConstraintErrors;
        sum.rcvConstraintErrors += one.rcvConstraintErrors;
        sum.localLinkIntegrityErrors += one.localLinkIntegrityErrors;
        sum.excessiveBufferOverruns += one.excessiveBufferOverruns;
        sum.vl15Dropped += one.vl15Dropped;
    }
}
