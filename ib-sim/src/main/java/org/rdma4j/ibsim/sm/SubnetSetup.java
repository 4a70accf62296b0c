package org.rdma4j.ibsim.sm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.rdma4j.ibsim.fabric.LinkState;
import org.rdma4j.ibsim.mad.Mad;
import org.rdma4j.ibsim.mad.PortInfo;
import org.rdma4j.ibsim.mad.Smp;
import org.rdma4j.wire.NetworkOrder;

/**
 * Brings what was found into service, in the order of IBTA volume 1, 14.4.4: LIDs and link parameters, forwarding tables, and
 * then the links to Armed, all of them, and to Active.
 */
final class SubnetSetup {

    private static final int LINEAR_FORWARDING = 0x19;
    private static final int FORWARDING_BLOCK = 64;
    private static final int LINEAR_TOP = 6;
    private static final int CHANGE_BITS = 11;

    private final SmpClient client;
    private final FoundSubnet subnet;
    private final Routes routes;
    private final int masterLid;

    private SubnetSetup(SmpClient client, FoundSubnet subnet, Routes routes, int masterLid) {
        this.client = client;
        this.subnet = subnet;
        this.routes = routes;
        this.masterLid = masterLid;
    }

    /** @param done runs when all links are active that can be */
    static void run(SmpClient client, FoundSubnet subnet, Routes routes, int masterLid, Runnable done) {
        new SubnetSetup(client, subnet, routes, masterLid).ports(done);
    }

    private void ports(Runnable done) {
        for (FoundNode node : subnet.nodes()) {
            for (int number = 0; number <= node.portCount(); number++) {
                FoundPort port = node.port(number);
                if (port != null && (port.isEndPort() || port.peer() != null)) {
                    set(port, 0);
                }
            }
        }
        client.whenIdle(() -> forwarding(done));
    }

    /** @param state 0 leaves it as it is */
    private void set(FoundPort port, int state) {
        byte[] bytes = port.info().clone();
        MemorySegment wanted = MemorySegment.ofArray(bytes);
        if (port.isEndPort()) {
            wanted.set(NetworkOrder.SHORT, PortInfo.MASTER_SM_LID, (short) masterLid);
        }
        if (port.peer() != null) {
            int mtu = Math.min(port.mtuCapability(), port.peer().mtuCapability());
            int lanes = Math.min(port.laneCapability(), port.peer().laneCapability());
            replace(wanted, PortInfo.NEIGHBOR_MTU_SM_SL, mtu << 4, 0xF0);
            replace(wanted, PortInfo.OPERATIONAL_VLS_FILTERS, lanes << 4, 0xF0);
        }
        replace(wanted, PortInfo.SPEED_SUPPORTED_STATE, state, 0x0F);
        replace(wanted, PortInfo.PHYSICAL_STATE_DOWN_DEFAULT, 0, 0xF0); // as it is
        client.ask(request(port.node(), Discovery.PORT_INFO, port.number(), bytes), mad -> {
            if (mad != null && mad.status() == Smp.DIRECTION) {
                port.setInfo(mad.data().toArray(ValueLayout.JAVA_BYTE));
            }
        });
    }

    private static void replace(MemorySegment bytes, int offset, int value, int mask) {
        int old = bytes.get(ValueLayout.JAVA_BYTE, offset);
        bytes.set(ValueLayout.JAVA_BYTE, offset, (byte) (old & ~mask | value));
    }

    static Mad request(FoundNode node, int attribute, int modifier, byte[] data) {
        Mad mad = Smp.directed(Mad.SET, attribute, modifier, node.path(), 0);
        MemorySegment.copy(MemorySegment.ofArray(data), 0, mad.data(), 0, data.length);
        return mad;
    }

    private void forwarding(Runnable done) {
        for (FoundNode node : subnet.switches()) {
            if (node.switchInfo().length == 0) {
                continue; // it did not tell: it is gone again, and the next sweep finds out
            }
            byte[] info = node.switchInfo().clone();
            MemorySegment wanted = MemorySegment.ofArray(info);
            wanted.set(NetworkOrder.SHORT, LINEAR_TOP, (short) (routes.lids() - 1));
            info[CHANGE_BITS] |= 4; // PortStateChange is cleared by a one
            client.ask(request(node, Discovery.SWITCH_INFO, 0, info), mad -> {});
            for (int first = 0; first < routes.lids(); first += FORWARDING_BLOCK) {
                byte[] block = new byte[FORWARDING_BLOCK];
                Arrays.fill(block, (byte) Routes.NOWHERE);
                for (int at = 0; at < FORWARDING_BLOCK && first + at < routes.lids(); at++) {
                    block[at] = (byte) routes.port(node.switchIndex(), first + at);
                }
                client.ask(request(node, LINEAR_FORWARDING, first / FORWARDING_BLOCK, block), mad -> {});
            }
        }
        client.whenIdle(
                () -> step(LinkState.INIT, LinkState.ARMED, () -> step(LinkState.ARMED, LinkState.ACTIVE, done)));
    }

    private void step(LinkState from, LinkState to, Runnable done) {
        for (FoundNode node : subnet.nodes()) {
            for (int number = 1; number <= node.portCount(); number++) {
                FoundPort port = node.port(number);
                if (port != null && port.peer() != null && port.state() == from.number()) {
                    set(port, to.number());
                }
            }
        }
        client.whenIdle(done);
    }
}
