package org.rdma4j.ibsim.mad;

import java.util.ArrayList;
import java.util.List;
import org.rdma4j.ibsim.fabric.Fabric;
import org.rdma4j.ibsim.fabric.Port;
import org.rdma4j.ibsim.topology.Topologies;
import org.rdma4j.wire.MadHeader;

/** A fabric, of three hosts at a switch if not told otherwise; at the first host somebody who asks by datagrams, and hears what comes. */
final class Asker implements MadProgram {

    static final long SECOND = 1_000_000_000_000L;
    static final byte[] SELF = {};
    static final byte[] SWITCH = {1};
    static final byte[] SECOND_HOST = {1, 2};

    final Fabric fabric = new Fabric(1);
    final Agents agents;
    final List<Mad> received = new ArrayList<>();
    private long transaction;

    Asker() {
        this("star:3");
    }

    Asker(String topology) {
        Topologies.build(topology, fabric);
        agents = new Agents(fabric);
        agents.attach(1, port("H-1"), this);
        run(0.01);
    }

    Port port(String node) {
        return fabric.node(node).port(1);
    }

    void run(double seconds) {
        fabric.events().runUntil(fabric.events().now() + (long) (seconds * SECOND));
    }

    /** @return {@code null} where no answer came */
    Mad ask(Mad mad) {
        received.clear();
        mad.setTransactionId(++transaction);
        agents.send(1, mad, fabric.events().now());
        run(0.001);
        return received.isEmpty() ? null : received.getLast();
    }

    Mad get(byte[] path, int attribute, int modifier) {
        return ask(Smp.directed(Mad.GET, attribute, modifier, path, 0));
    }

    /** Sets what an answer's data say. */
    Mad set(byte[] path, int attribute, int modifier, Mad data) {
        Mad mad = Smp.directed(Mad.SET, attribute, modifier, path, 0);
        mad.data().copyFrom(data.data());
        return ask(mad);
    }

    /** A question to a LID by its class. */
    Mad routed(int lid, int managementClass, int method, int attribute, int modifier) {
        Mad mad = new Mad();
        mad.setInt8(MadHeader.BASE_VERSION_OFFSET, MadHeader.BASE_VERSION);
        mad.setInt8(MadHeader.MANAGEMENT_CLASS_OFFSET, managementClass);
        mad.setInt8(MadHeader.CLASS_VERSION_OFFSET, 1);
        mad.setMethod(method);
        mad.setAttribute(attribute, modifier);
        mad.destinationLid = lid;
        mad.sourceQp = managementClass == Mad.SUBNET_LID_ROUTED ? 0 : 1;
        mad.destinationQp = mad.sourceQp;
        return mad;
    }

    @Override
    public int qpn() {
        return 1;
    }

    @Override
    public boolean isManager() {
        return true;
    }

    @Override
    public void received(Mad mad) {
        received.add(mad);
    }

    @Override
    public void undelivered(Mad mad) {}
}
