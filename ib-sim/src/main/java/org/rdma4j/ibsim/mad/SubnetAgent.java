package org.rdma4j.ibsim.mad;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.function.ObjIntConsumer;
import org.rdma4j.ibsim.fabric.ArbitrationTable;
import org.rdma4j.ibsim.fabric.Lids;
import org.rdma4j.ibsim.fabric.Node;
import org.rdma4j.ibsim.fabric.PortSettings;
import org.rdma4j.ibsim.fabric.Switch;
import org.rdma4j.wire.MadHeader;
import org.rdma4j.wire.NetworkOrder;

/** The subnet management agent of a node: its attributes, as a subnet manager reads and sets them (IBTA volume 1, 14.2.5). */
final class SubnetAgent {

    private static final int CLASS_VERSION = 1;

    private static final int NODE_DESCRIPTION = 0x10;
    static final int NODE_INFO = 0x11;
    private static final int SWITCH_INFO = 0x12;
    private static final int GUID_INFO = 0x14;
    static final int PORT_INFO = 0x15;
    private static final int P_KEY_TABLE = 0x16;
    private static final int SL_TO_VL = 0x17;
    private static final int VL_ARBITRATION = 0x18;
    private static final int LINEAR_FORWARDING = 0x19;
    private static final int MULTICAST_FORWARDING = 0x1B;

    private static final int LINEAR_CAPACITY = 30_720;
    private static final int MULTICAST_CAPACITY = 1024;
    private static final int FORWARDING_BLOCK = 64;
    private static final int MULTICAST_BLOCK = 32;
    private static final int PORTS_A_POSITION = 16;
    private static final int P_KEYS_A_BLOCK = 32;

    /** PartitionCap of a switch is that of port 0; its other ports have the enforcement capacity. */
    private static final int SWITCH_P_KEYS = 8;

    private static final int ARBITRATION_BLOCK = 32;
    private static final int GUIDS_A_BLOCK = 8;
    private static final int REVISION = 0xA1;

    private final Node node;
    private final ObjIntConsumer<Mad> violation;
    private final PortInfo[] ports;
    private int linearTop;
    private int multicastTop;
    private boolean portStateChanged;

    /** @param violation hears of each datagram with a wrong M_Key, and of the port that it came by */
    SubnetAgent(Node node, ObjIntConsumer<Mad> violation) {
        this.node = node;
        this.violation = violation;
        ports = new PortInfo[node.portCount() + 1];
        for (int number = 0; number < ports.length; number++) {
            ports[number] = node.hasPort(number) ? new PortInfo(node.port(number)) : null;
        }
    }

    PortInfo portInfo(int number) {
        return ports[number];
    }

    /** The port whose LID the node has by a port: port 0 of a switch. */
    PortInfo ownPort(int arrivedAt) {
        return ports[node instanceof Switch ? 0 : arrivedAt];
    }

    /**
     * Answers a Get or Set in place.
     *
     * @param arrivedAt the port that it came in by; of a switch 0 where it comes from the switch itself
     * @return false where there is no answer: the M_Key was wrong
     */
    boolean answer(Mad mad, int arrivedAt) {
        PortInfo own = ownPort(arrivedAt);
        boolean set = mad.method() == Mad.SET;
        long now = node.fabric().events().now();
        boolean trusted = own.lease().isTrusted(mad.int64(Smp.M_KEY), now);
        if (!trusted && (set || own.lease().protection(now) >= 2)) {
            own.lease().violated(now);
            violation.accept(mad, arrivedAt);
            return false;
        }
        int status;
        if (mad.int8(MadHeader.CLASS_VERSION_OFFSET) != CLASS_VERSION) {
            status = Mad.BAD_VERSION;
        } else if (mad.method() != Mad.GET && !set) {
            status = Mad.BAD_METHOD;
        } else {
            status = set ? set(mad, arrivedAt) : Mad.OK;
            if (status == Mad.OK) {
                status = get(mad, arrivedAt);
            }
        }
        if (!trusted && mad.attribute() == PORT_INFO && own.lease().protection(now) == 1) {
            mad.setInt64(Mad.DATA, 0); // the key is not told to those who do not have it
        }
        mad.setMethod(Mad.GET_RESP);
        mad.setStatus(mad.status() & Smp.DIRECTION | status);
        return true;
    }

    /** An attribute's bytes, whoever asks. */
    byte[] read(int attribute, int modifier, int arrivedAt) {
        Mad mad = new Mad();
        mad.setAttribute(attribute, modifier);
        get(mad, arrivedAt);
        return mad.data().toArray(ValueLayout.JAVA_BYTE);
    }

    private int get(Mad mad, int arrivedAt) {
        MemorySegment data = mad.data();
        int modifier = mad.modifier();
        data.fill((byte) 0);
        return switch (mad.attribute()) {
            case NODE_DESCRIPTION -> nodeDescription(data);
            case NODE_INFO -> nodeInfo(data, arrivedAt);
            case SWITCH_INFO -> node instanceof Switch one ? switchInfo(one, data) : Mad.BAD_ATTRIBUTE;
            case GUID_INFO -> guidInfo(data, modifier, arrivedAt);
            case PORT_INFO -> portInfo(data, modifier, arrivedAt);
            case P_KEY_TABLE -> pKeys(data, modifier, arrivedAt, false);
            case SL_TO_VL -> lanes(data, modifier, false);
            case VL_ARBITRATION -> arbitration(data, modifier, arrivedAt, false);
            case LINEAR_FORWARDING ->
                node instanceof Switch one ? forwarding(one, data, modifier, false) : Mad.BAD_ATTRIBUTE;
            case MULTICAST_FORWARDING ->
                node instanceof Switch one ? multicast(one, data, modifier, false) : Mad.BAD_ATTRIBUTE;
            default -> Mad.BAD_ATTRIBUTE;
        };
    }

    private int set(Mad mad, int arrivedAt) {
        MemorySegment data = mad.data();
        int modifier = mad.modifier();
        return switch (mad.attribute()) {
            case SWITCH_INFO -> node instanceof Switch one ? setSwitchInfo(one, data) : Mad.BAD_ATTRIBUTE;
            case GUID_INFO -> Mad.OK; // the one GUID of the port is read-only, others are not kept
            case PORT_INFO -> setPortInfo(data, modifier, arrivedAt);
            case P_KEY_TABLE -> pKeys(data, modifier, arrivedAt, true);
            case SL_TO_VL -> lanes(data, modifier, true);
            case VL_ARBITRATION -> arbitration(data, modifier, arrivedAt, true);
            case LINEAR_FORWARDING ->
                node instanceof Switch one ? forwarding(one, data, modifier, true) : Mad.BAD_ATTRIBUTE;
            case MULTICAST_FORWARDING ->
                node instanceof Switch one ? multicast(one, data, modifier, true) : Mad.BAD_ATTRIBUTE;
            default -> Mad.BAD_ATTRIBUTE;
        };
    }

    private int nodeDescription(MemorySegment data) {
        byte[] text = node.description().getBytes(StandardCharsets.UTF_8);
        MemorySegment.copy(text, 0, data, ValueLayout.JAVA_BYTE, 0, Math.min(text.length, Mad.DATA_LENGTH));
        return Mad.OK;
    }

    private int nodeInfo(MemorySegment data, int arrivedAt) {
        boolean isSwitch = node instanceof Switch;
        data.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
        data.set(ValueLayout.JAVA_BYTE, 1, (byte) 1);
        data.set(ValueLayout.JAVA_BYTE, 2, (byte) (isSwitch ? 2 : 1));
        data.set(ValueLayout.JAVA_BYTE, 3, (byte) node.portCount());
        data.set(NetworkOrder.LONG, 4, node.guid());
        data.set(NetworkOrder.LONG, 12, node.guid());
        data.set(NetworkOrder.LONG, 20, node.port(isSwitch ? 0 : arrivedAt).guid());
        data.set(NetworkOrder.SHORT, 28, (short) (isSwitch ? SWITCH_P_KEYS : PortSettings.PKEYS));
        data.set(NetworkOrder.INT, 32, REVISION);
        data.set(ValueLayout.JAVA_BYTE, 36, (byte) arrivedAt);
        return Mad.OK;
    }

    private int switchInfo(Switch one, MemorySegment data) {
        data.set(NetworkOrder.SHORT, 0, (short) LINEAR_CAPACITY);
        data.set(NetworkOrder.SHORT, 4, (short) MULTICAST_CAPACITY);
        data.set(NetworkOrder.SHORT, 6, (short) linearTop);
        int change = portStateChanged ? 4 : 0;
        data.set(ValueLayout.JAVA_BYTE, 11, (byte) (one.lifetimeExponent() << 3 | change));
        data.set(NetworkOrder.SHORT, 14, (short) PortSettings.PKEYS);
        data.set(ValueLayout.JAVA_BYTE, 16, (byte) 0xF0); // it enforces partitions in and out, and filters raw packets
        data.set(NetworkOrder.SHORT, 18, (short) multicastTop);
        return Mad.OK;
    }

    private int setSwitchInfo(Switch one, MemorySegment data) {
        linearTop = data.get(NetworkOrder.SHORT, 6) & 0xFFFF;
        int word = data.get(ValueLayout.JAVA_BYTE, 11) & 0xFF;
        one.setLifetimeExponent(word >> 3);
        if ((word & 4) != 0) {
            portStateChanged = false; // written as one to clear it (14.2.5.4)
        }
        multicastTop = data.get(NetworkOrder.SHORT, 18) & 0xFFFF;
        return Mad.OK;
    }

    /** A port's link has come up or gone down. */
    void notePortStateChange() {
        portStateChanged = true;
    }

    private int guidInfo(MemorySegment data, int block, int arrivedAt) {
        if (block >= 32 / GUIDS_A_BLOCK) {
            return Mad.INVALID_FIELD;
        }
        if (block == 0) {
            data.set(NetworkOrder.LONG, 0, ownPort(arrivedAt).port().guid());
        }
        return Mad.OK;
    }

    /** The port that a modifier names: 0 is, of an adapter, the one that was asked. */
    private PortInfo named(int number, int arrivedAt) {
        if (node instanceof Switch) {
            return number < ports.length ? ports[number] : null;
        }
        int port = number == 0 ? arrivedAt : number;
        return port > 0 && port < ports.length ? ports[port] : null;
    }

    private int portInfo(MemorySegment data, int modifier, int arrivedAt) {
        PortInfo info = named(modifier & 0xFF, arrivedAt);
        if (info == null) {
            return Mad.INVALID_FIELD;
        }
        info.get(data, arrivedAt);
        return Mad.OK;
    }

    private int setPortInfo(MemorySegment data, int modifier, int arrivedAt) {
        PortInfo info = named(modifier & 0xFF, arrivedAt);
        return info == null ? Mad.INVALID_FIELD : info.set(data);
    }

    private int pKeys(MemorySegment data, int modifier, int arrivedAt, boolean set) {
        int block = modifier & 0xFFFF;
        PortInfo info = named(modifier >>> 16, arrivedAt);
        if (info == null || block >= PortSettings.PKEYS / P_KEYS_A_BLOCK) {
            return Mad.INVALID_FIELD;
        }
        PortSettings settings = info.port().settings();
        for (int at = 0; at < P_KEYS_A_BLOCK; at++) {
            int index = block * P_KEYS_A_BLOCK + at;
            if (set) {
                settings.setPKey(index, data.get(NetworkOrder.SHORT, 2L * at) & 0xFFFF);
            } else {
                data.set(NetworkOrder.SHORT, 2L * at, (short) settings.pKey(index));
            }
        }
        return Mad.OK;
    }

    private int lanes(MemorySegment data, int modifier, boolean set) {
        int in = node instanceof Switch ? modifier >> 8 & 0xFF : 0;
        int out = node instanceof Switch ? modifier & 0xFF : Math.max(1, modifier & 0xFF);
        if (in > node.portCount() || out > node.portCount()) {
            return Mad.INVALID_FIELD;
        }
        for (int level = 0; level < PortSettings.SERVICE_LEVELS; level += 2) {
            int both = data.get(ValueLayout.JAVA_BYTE, level / 2) & 0xFF;
            if (set) {
                node.lanes().set(in, out, level, both >> 4);
                node.lanes().set(in, out, level + 1, both & 0xF);
            } else {
                int lanes =
                        node.lanes().lane(in, out, level) << 4 | node.lanes().lane(in, out, level + 1);
                data.set(ValueLayout.JAVA_BYTE, level / 2, (byte) lanes);
            }
        }
        return Mad.OK;
    }

    private int arbitration(MemorySegment data, int modifier, int arrivedAt, boolean set) {
        int block = modifier >>> 16;
        PortInfo info = named(modifier & 0xFFFF, arrivedAt);
        if (info == null || block < 1 || block > 4) {
            return Mad.INVALID_FIELD;
        }
        ArbitrationTable table =
                block <= 2 ? info.port().arbiter().low() : info.port().arbiter().high();
        int first = (block - 1) % 2 * ARBITRATION_BLOCK;
        for (int at = 0; at < ARBITRATION_BLOCK; at++) {
            if (set) {
                int lane = data.get(ValueLayout.JAVA_BYTE, 2L * at) & 0xF;
                table.set(first + at, lane, data.get(ValueLayout.JAVA_BYTE, 2L * at + 1) & 0xFF);
            } else {
                data.set(ValueLayout.JAVA_BYTE, 2L * at, (byte) table.lane(first + at));
                data.set(ValueLayout.JAVA_BYTE, 2L * at + 1, (byte) table.weight(first + at));
            }
        }
        return Mad.OK;
    }

    private int forwarding(Switch one, MemorySegment data, int block, boolean set) {
        int first = block * FORWARDING_BLOCK;
        if (block < 0 || first >= LINEAR_CAPACITY) {
            return Mad.INVALID_FIELD;
        }
        for (int at = 0; at < FORWARDING_BLOCK; at++) {
            if (set) {
                one.forwarding().set(first + at, data.get(ValueLayout.JAVA_BYTE, at) & 0xFF);
            } else {
                data.set(ValueLayout.JAVA_BYTE, at, (byte) one.forwarding().port(first + at));
            }
        }
        return Mad.OK;
    }

    private int multicast(Switch one, MemorySegment data, int modifier, boolean set) {
        int position = modifier >>> 28;
        int first = (modifier & 0x1FF) * MULTICAST_BLOCK;
        if (position * PORTS_A_POSITION > node.portCount() || first >= MULTICAST_CAPACITY) {
            return Mad.INVALID_FIELD;
        }
        int shift = position * PORTS_A_POSITION;
        for (int at = 0; at < MULTICAST_BLOCK; at++) {
            int lid = Lids.FIRST_MULTICAST + first + at;
            long ports = one.multicast().ports(lid);
            if (set) {
                long part = data.get(NetworkOrder.SHORT, 2L * at) & 0xFFFFL;
                one.multicast().set(lid, ports & ~(0xFFFFL << shift) | part << shift);
            } else {
                data.set(NetworkOrder.SHORT, 2L * at, (short) (ports >>> shift));
            }
        }
        return Mad.OK;
    }
}
