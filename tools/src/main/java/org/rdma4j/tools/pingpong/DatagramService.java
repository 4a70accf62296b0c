package org.rdma4j.tools.pingpong;

import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;
import org.rdma4j.tools.exchange.PingpongRecord;
import org.rdma4j.verbs.AddressHandle;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.CompletionQueue;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.PortAttributes;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.wire.Grh;

/** UD, with the values that ibv_ud_pingpong takes. */
final class DatagramService implements GameService {

    private static final int Q_KEY = 0x1111_1111;

    private final PingpongOptions options;
    private AddressHandle way;
    private int remoteQpn;

    DatagramService(PingpongOptions options) {
        this.options = options;
    }

    @Override
    public void require(DeviceContext device) {
        PortAttributes port = device.queryPort();
        if (options.size() > port.activeMtu()) {
            throw new ToolException(
                    ExitStatus.FAILED,
                    "a datagram of " + options.size() + " bytes does not fit " + device.name()
                            + ": its interface's MTU of " + port.interfaceMtu() + " carries at most " + port.activeMtu()
                            + " (-s)");
        }
    }

    @Override
    public QpInitAttributes queuePair(CompletionQueue cq) {
        return QpInitAttributes.ud(cq);
    }

    @Override
    public QpAttributes identity() {
        return new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).qkey(Q_KEY);
    }

    @Override
    public void connect(QueuePair qp, int psn, PingpongRecord remote) {
        way = qp.pd().createAh(new AhAttributes(options.gidOf(remote), 0, options.trafficClass(), 0, options.gidIndex));
        remoteQpn = remote.qpn();
        qp.modify(new QpAttributes().state(QpState.RTR));
        qp.modify(new QpAttributes().state(QpState.RTS).sqPsn(psn));
    }

    @Override
    public int headroom() {
        return Grh.LENGTH;
    }

    @Override
    public void aim(SendWorkRequest send) {
        send.ud(way, remoteQpn, Q_KEY);
    }

    @Override
    public boolean isReliable() {
        return false;
    }

    @Override
    public void end() {
        if (way != null) {
            way.close();
        }
    }
}
