package org.rdma4j.ibsim.mad;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.rdma4j.ibsim.fabric.Fabric;
import org.rdma4j.ibsim.fabric.FabricPacket;
import org.rdma4j.ibsim.fabric.ForwardingTable;
import org.rdma4j.ibsim.fabric.Lids;
import org.rdma4j.ibsim.fabric.Management;
import org.rdma4j.ibsim.fabric.Node;
import org.rdma4j.ibsim.fabric.Port;
import org.rdma4j.ibsim.fabric.Switch;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.MadHeader;

/**
 * What a node does with management datagrams: it passes on those with a directed route (IBTA volume 1, 14.2.2), answers
 * those for its agents, and gives the others to the programs at its port.
 */
public final class NodeAgent {

    private static final int SM_INFO = 0x20;

    private final Fabric fabric;
    private final Node node;
    private final Consumer<Mad> lost;
    private final SubnetAgent subnet;
    private final PerformanceAgent performance;
    private final Traps traps;
    private final Map<Integer, MadProgram> programs = new TreeMap<>();

    /** @param lost hears of requests that nobody took */
    NodeAgent(Node node, Consumer<Mad> lost) {
        this.lost = lost;
        this.fabric = node.fabric();
        this.node = node;
        subnet = new SubnetAgent(node, this::badMKey);
        performance = new PerformanceAgent(node);
        traps = new Traps(fabric.events(), this::sendTrap);
        node.setConsumer(this::received);
    }

    SubnetAgent subnet() {
        return subnet;
    }

    public Node node() {
        return node;
    }

    /**
     * Adds a program.
     *
     * @param owner its number, unique in the fabric, 1 to 65,535
     */
    public void attach(int owner, MadProgram program) {
        programs.put(owner, program);
        refreshManager();
    }

    public void detach(int owner) {
        programs.remove(owner);
        refreshManager();
    }

    void portStateChanged() {
        subnet.notePortStateChange();
        if (node instanceof Switch) {
            traps.send(Notice.linkState(node.port(0)));
        }
    }

    /** A packet of a partition that this port is not in. */
    void badPKey(Port port, FabricPacket packet) {
        int bth = Management.bthOffset(packet);
        if (bth < 0) {
            return; // a raw packet has neither P_Key nor queue pair to tell of
        }
        traps.send(Notice.badPKey(
                issuer(port.number()),
                port,
                packet.sourceLid(),
                packet.destinationLid(),
                Bth.pKey(packet.bytes(), bth),
                Bth.destQp(packet.bytes(), bth)));
    }

    private void badMKey(Mad guilty, int arrivedAt) {
        traps.send(Notice.badMKey(issuer(arrivedAt), guilty));
    }

    /** The port whose LID a node has by a port. */
    private Port issuer(int number) {
        return node.port(node instanceof Switch ? 0 : number);
    }

    /** Sends a trap to the subnet's manager, by the way of the tables. */
    private void sendTrap(Mad trap) {
        Port own = node instanceof Switch ? node.port(0) : adapterPort(Notice.issuerLid(trap));
        trap.sourceLid = own.settings().lid();
        trap.destinationLid = subnet.ownPort(own.number()).masterLid();
        if (trap.destinationLid != Lids.NONE
                && !depart(trap, own, fabric.events().now())) {
            undelivered(trap);
        }
    }

    private Port adapterPort(int lid) {
        for (int number = 1; number <= node.portCount(); number++) {
            if (node.port(number).settings().lid() == lid) {
                return node.port(number);
            }
        }
        return node.port(1);
    }

    /** NodeInfo as a port tells it: 64 bytes. */
    public byte[] nodeInfo(int port) {
        return subnet.read(SubnetAgent.NODE_INFO, 0, port);
    }

    /** PortInfo: 64 bytes. @param number 0 for the port that tells it */
    public byte[] portInfo(int number, int port) {
        return subnet.read(SubnetAgent.PORT_INFO, number, port);
    }

    /** MasterSMLID of a port: where its subnet's manager is. */
    public int masterLid(int port) {
        return subnet.ownPort(port).masterLid();
    }

    /** Whether a manager sits here has changed. */
    public void refreshManager() {
        boolean managed = programs.values().stream().anyMatch(MadProgram::isManager);
        subnet.ownPort(1).setManager(managed);
    }

    // What programs send.

    /** Sends a program's datagram by a port of the node; a switch's goes where its tables say. */
    public void send(Mad mad, int owner, Port port, long now) {
        if (!mad.isResponse()) {
            mad.setOwner(owner);
        }
        if (mad.sourceLid == Lids.NONE) {
            mad.sourceLid = port.settings().lid();
        }
        if (!depart(mad, port, now)) {
            undelivered(mad);
        }
    }

    /** @return false where there is no way */
    private boolean depart(Mad mad, Port port, long now) {
        if (Smp.isDirected(mad)) {
            return departDirected(mad, now);
        }
        if (mad.destinationLid == port.settings().lid() || mad.destinationLid == Lids.PERMISSIVE) {
            deliver(mad, port, now);
            return true;
        }
        return routed(mad, port, now);
    }

    private boolean routed(Mad mad, Port from, long now) {
        Port out = from;
        if (node instanceof Switch one) {
            int number = one.forwarding().port(mad.destinationLid);
            if (number == ForwardingTable.NOWHERE || number == 0 || !node.hasPort(number)) {
                return false;
            }
            out = node.port(number);
        }
        if (out.peer() == null || mad.destinationLid == Lids.NONE) {
            return false;
        }
        boolean subnetManagement = mad.destinationQp == Management.SMI_QPN;
        int lane = subnetManagement ? Port.MANAGEMENT_LANE : node.lanes().lane(0, out.number(), 0);
        node.send(MadPackets.of(fabric, mad, lane), out, now);
        return true;
    }

    private boolean departDirected(Mad mad, long now) {
        if (Smp.hopCount(mad) > Smp.MAX_HOPS) {
            return false;
        }
        if (Smp.isReturning(mad)) {
            Smp.setHopPointer(mad, Smp.hopCount(mad));
            return Smp.hopCount(mad) == 0 || sendDirected(mad, Smp.returnPath(mad, Smp.hopCount(mad)), now);
        }
        if (Smp.hopCount(mad) == 0) {
            answer(mad, node instanceof Switch ? 0 : 1, now);
            return true;
        }
        Smp.setHopPointer(mad, 1);
        return sendDirected(mad, Smp.initialPath(mad, 1), now);
    }

    private boolean sendDirected(Mad mad, int number, long now) {
        if (number == 0 || !node.hasPort(number) || node.port(number).peer() == null) {
            return false;
        }
        mad.sourceLid = Lids.PERMISSIVE;
        mad.destinationLid = Lids.PERMISSIVE;
        mad.sourceQp = Management.SMI_QPN;
        mad.destinationQp = Management.SMI_QPN;
        node.send(MadPackets.of(fabric, mad, Port.MANAGEMENT_LANE), node.port(number), now);
        return true;
    }

    // What arrives.

    private void received(FabricPacket packet, Port port, long now) {
        Mad mad = MadPackets.parse(packet);
        if (mad == null) {
            return;
        }
        boolean subnetClass = Smp.isDirected(mad) || mad.managementClass() == Mad.SUBNET_LID_ROUTED;
        if (subnetClass != (mad.destinationQp == Management.SMI_QPN)) {
            return; // C13-52: these two classes go to QP 0 and no other does
        }
        if (!Smp.isDirected(mad)) {
            deliver(mad, port, now);
        } else if (!directed(mad, port, now)) {
            undelivered(mad);
        }
    }

    /** Passes a datagram on or takes it, by its hop pointer (14.2.2.2 and 14.2.2.4). */
    private boolean directed(Mad mad, Port port, long now) {
        int pointer = Smp.hopPointer(mad);
        int count = Smp.hopCount(mad);
        if (count > Smp.MAX_HOPS) {
            return false;
        }
        if (Smp.isReturning(mad)) {
            if (pointer > 1 && pointer <= count) {
                Smp.setHopPointer(mad, pointer - 1);
                return node instanceof Switch && sendDirected(mad, Smp.returnPath(mad, pointer - 1), now);
            }
            if (pointer == 1) {
                Smp.setHopPointer(mad, 0);
                toPrograms(mad);
                return true;
            }
            return false;
        }
        if (pointer >= 1 && pointer < count) {
            Smp.setReturnPath(mad, pointer, port.number());
            Smp.setHopPointer(mad, pointer + 1);
            return node instanceof Switch && sendDirected(mad, Smp.initialPath(mad, pointer + 1), now);
        }
        if (pointer == count) {
            Smp.setReturnPath(mad, pointer, port.number());
            Smp.setHopPointer(mad, pointer + 1);
            answer(mad, port.number(), now);
            return true;
        }
        return false;
    }

    /** A datagram that came by its LID, or that stays in the node. */
    private void deliver(Mad mad, Port port, long now) {
        if (mad.method() == Mad.TRAP_REPRESS && mad.managementClass() == Mad.SUBNET_LID_ROUTED) {
            traps.repress(mad);
            return;
        }
        boolean request = !mad.isResponse() && mad.method() != Mad.TRAP;
        if (request && mad.managementClass() == Mad.PERFORMANCE) {
            performance.answer(mad, port.number());
            returnToSender(mad, port, now);
        } else if (request && mad.managementClass() == Mad.SUBNET_LID_ROUTED && mad.attribute() != SM_INFO) {
            answer(mad, port.number(), now);
        } else {
            toPrograms(mad);
        }
    }

    /** A subnet management request for this node. */
    private void answer(Mad mad, int arrivedAt, long now) {
        if (mad.attribute() == SM_INFO || mad.method() == Mad.TRAP || mad.isResponse()) {
            toPrograms(mad);
            return;
        }
        if (!subnet.answer(mad, arrivedAt)) {
            return;
        }
        if (!Smp.isDirected(mad)) {
            returnToSender(mad, node.port(node instanceof Switch ? 0 : arrivedAt), now);
            return;
        }
        mad.setStatus(mad.status() | Smp.DIRECTION);
        if (Smp.hopCount(mad) == 0) {
            toPrograms(mad);
        } else if (!departDirected(mad, now)) {
            undelivered(mad);
        }
    }

    private void returnToSender(Mad mad, Port port, long now) {
        int asker = mad.sourceLid;
        mad.turnRound();
        Port own = node instanceof Switch ? node.port(0) : port;
        if (own.settings().has(asker)) {
            toPrograms(mad);
        } else if (!routed(mad, own, now)) {
            undelivered(mad);
        }
    }

    /** An answer is for the program that asked; a request for the one whose queue pair it names, or for the manager. */
    private void toPrograms(Mad mad) {
        if (mad.isResponse()) {
            MadProgram asker = programs.get(mad.owner());
            if (asker != null) {
                asker.received(mad);
            }
            return; // without its asker nobody knows what it answers
        }
        for (MadProgram program : programs.values()) {
            boolean named = mad.destinationQp > MadHeader.GSI_QPN && program.qpn() == mad.destinationQp;
            if (named || mad.destinationQp <= MadHeader.GSI_QPN && program.isManager()) {
                program.received(mad);
                return;
            }
        }
        undelivered(mad);
    }

    /** Nobody took it: its sender is told, wherever in the fabric that is. */
    private void undelivered(Mad mad) {
        if (!mad.isResponse()) {
            lost.accept(mad);
        }
    }
}
