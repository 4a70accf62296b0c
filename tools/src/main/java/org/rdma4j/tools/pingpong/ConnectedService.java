package org.rdma4j.tools.pingpong;

import org.rdma4j.tools.PathMtu;
import org.rdma4j.tools.exchange.PingpongRecord;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.CompletionQueue;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QpType;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.SendWorkRequest;

/** RC and UC, with the values that rdma-core's pingpongs over connections take. */
final class ConnectedService implements GameService {

    private final QpType type;
    private final ConnectedOptions options;

    private ConnectedService(QpType type, ConnectedOptions options) {
        this.type = type;
        this.options = options;
    }

    static ConnectedService rc(ConnectedOptions options) {
        return new ConnectedService(QpType.RC, options);
    }

    static ConnectedService uc(ConnectedOptions options) {
        return new ConnectedService(QpType.UC, options);
    }

    @Override
    public void require(DeviceContext device) {
        PathMtu.require(options.mtu, device);
    }

    @Override
    public QpInitAttributes queuePair(CompletionQueue cq) {
        return isReliable() ? QpInitAttributes.rc(cq) : QpInitAttributes.uc(cq);
    }

    @Override
    public QpAttributes identity() {
        return new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(0);
    }

    @Override
    public void connect(QueuePair qp, int psn, PingpongRecord remote) {
        QpAttributes receiving = new QpAttributes()
                .state(QpState.RTR)
                .av(new AhAttributes(options.gidOf(remote), 0, options.trafficClass(), 0, options.gidIndex))
                .pathMtu(options.mtu)
                .destQpNum(remote.qpn())
                .rqPsn(remote.psn());
        QpAttributes sending = new QpAttributes().state(QpState.RTS).sqPsn(psn);
        if (isReliable()) {
            receiving.maxDestRdAtomic(1).minRnrTimer(12);
            sending.timeout(14).retryCount(7).rnrRetry(7).maxRdAtomic(1);
        }
        qp.modify(receiving);
        qp.modify(sending);
    }

    @Override
    public int headroom() {
        return 0;
    }

    @Override
    public void aim(SendWorkRequest send) {}

    @Override
    public boolean isReliable() {
        return type == QpType.RC;
    }

    @Override
    public void end() {}
}
