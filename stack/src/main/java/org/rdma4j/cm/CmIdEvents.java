package org.rdma4j.cm;

import java.net.InetSocketAddress;
import java.util.function.Function;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.wire.PortSpace;
import org.rdma4j.wire.PrivateData;

/** What an endpoint tells its identifier: moves its state, and tells the application. */
final class CmIdEvents implements EndpointOwner {

    private final CmId id;

    CmIdEvents(CmId id) {
        this.id = id;
    }

    // What is known.

    @Override
    public DeviceContext device() {
        return id.device();
    }

    @Override
    public PortSpace portSpace() {
        return id.portSpace();
    }

    @Override
    public InetSocketAddress localAddress() {
        return id.localAddress();
    }

    @Override
    public InetSocketAddress peerAddress() {
        return id.peerAddress();
    }

    @Override
    public QueuePair qp() {
        return id.qp();
    }

    @Override
    public CmSettings settings() {
        return id;
    }

    // Requests.

    @Override
    public boolean hasRoom() {
        return id.hasRoom();
    }

    @Override
    public <E extends Endpoint> E child(
            InetSocketAddress local, InetSocketAddress peer, Function<EndpointOwner, E> make) {
        return id.child(local, peer, make);
    }

    @Override
    public void requested(PrivateData privateData, ConnectionParameters asked) {
        id.requested(privateData, asked);
    }

    // What becomes of it.

    @Override
    public void accepting() {
        id.state = CmIdState.ACCEPTING;
    }

    @Override
    public void responded(PrivateData privateData, ConnectionParameters answer) {
        id.state = CmIdState.RESPONDED;
        id.post(CmEvent.connection(CmEventType.CONNECT_RESPONSE, id, null, privateData, answer));
    }

    @Override
    public void established(PrivateData privateData, ConnectionParameters agreed) {
        id.state = CmIdState.CONNECTED;
        id.post(CmEvent.connection(CmEventType.ESTABLISHED, id, null, privateData, agreed));
    }

    @Override
    public void found(PrivateData privateData, DatagramParameters where) {
        id.state = CmIdState.CONNECTED;
        id.post(CmEvent.datagrams(CmEventType.ESTABLISHED, id, privateData, where));
    }

    @Override
    public void rejected(int status, PrivateData privateData, String words) {
        if (id.state == CmIdState.CONNECTED) {
            disconnected(privateData);
        } else {
            failed(CmEventType.REJECTED, status, privateData, words);
        }
    }

    @Override
    public void unreachable(int status, PrivateData privateData, String words) {
        failed(CmEventType.UNREACHABLE, status, privateData, words);
    }

    @Override
    public void connectError(String words) {
        failed(CmEventType.CONNECT_ERROR, CmException.Errno.EINVAL.status(), PrivateData.EMPTY, words);
    }

    private void failed(CmEventType type, int status, PrivateData privateData, String words) {
        id.over();
        id.post(CmEvent.failed(type, id, status, privateData, words));
    }

    /** Once: whoever has heard that its connection is stale does not hear the answer to our own DREQ as well. */
    @Override
    public void disconnected(PrivateData privateData) {
        if (id.state != CmIdState.DISCONNECTED) {
            id.over();
            id.post(CmEvent.connection(CmEventType.DISCONNECTED, id, null, privateData, null));
        }
    }

    @Override
    public void timeWaitExit() {
        if (!id.sync) {
            id.post(CmEvent.of(CmEventType.TIMEWAIT_EXIT, id));
        }
    }
}
