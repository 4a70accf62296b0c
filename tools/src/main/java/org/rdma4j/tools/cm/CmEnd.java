package org.rdma4j.tools.cm;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.rdma4j.cm.CmEvent;
import org.rdma4j.cm.CmEventType;
import org.rdma4j.cm.CmId;
import org.rdma4j.cm.EventChannel;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.wire.PortSpace;

/** An identifier and a channel of its own, so that what comes on it is about this one only. */
final class CmEnd implements AutoCloseable {

    private final CmId id;
    private final EventChannel channel;

    private CmEnd(CmId id, EventChannel channel) {
        this.id = id;
        this.channel = channel;
    }

    /** One whose route to a server is resolved. */
    static CmEnd towards(DeviceContext device, PortSpace space, InetSocketAddress server, int tos) {
        EventChannel channel = new EventChannel();
        CmEnd end = new CmEnd(CmId.create(device, channel, space), channel);
        end.id.tos(tos);
        end.id.resolveAddress(server);
        end.expect(CmEventType.ADDR_RESOLVED);
        end.id.resolveRoute();
        end.expect(CmEventType.ROUTE_RESOLVED);
        return end;
    }

    /** One that can join a multicast group. */
    static CmEnd towardsGroup(DeviceContext device, InetSocketAddress group) {
        EventChannel channel = new EventChannel();
        CmEnd end = new CmEnd(CmId.create(device, channel, PortSpace.UDP), channel);
        end.id.resolveAddress(group);
        end.expect(CmEventType.ADDR_RESOLVED);
        return end;
    }

    /** One that listens at a port of the device's address. */
    static CmEnd listening(DeviceContext device, PortSpace space, int port, int backlog) {
        EventChannel channel = new EventChannel();
        CmEnd end = new CmEnd(CmId.create(device, channel, space), channel);
        end.id.bind(new InetSocketAddress(device.queryGid(0).toAddress(), port));
        end.id.listen(backlog);
        return end;
    }

    /** The end that a request has come for. */
    static CmEnd of(CmEvent request) {
        EventChannel channel = new EventChannel();
        request.id().migrate(channel);
        return new CmEnd(request.id(), channel);
    }

    CmId id() {
        return id;
    }

    /** Waits for an event. @throws ToolException where another one comes, with what it says */
    CmEvent expect(CmEventType type) {
        CmEvent event = next();
        if (event.type() != type) {
            throw new ToolException(ExitStatus.FAILED, CmAddress.text(id.peerAddress()) + ": " + event);
        }
        return event;
    }

    /** Waits for the next event but that of the end of timewait, which these programs do not care for. */
    CmEvent next() {
        try {
            CmEvent event = channel.getEvent();
            return event.type() == CmEventType.TIMEWAIT_EXIT ? next() : event;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ToolException(ExitStatus.FAILED, "interrupted", e);
        }
    }

    /** Ends the connection, and waits until the peer has heard of it. */
    void disconnect() {
        id.disconnect();
        awaitDisconnected();
    }

    /** Waits until the connection has ended, by either side; not for ever, for it may be over already. */
    void awaitDisconnected() {
        try {
            CmEvent event = channel.getEvent(Duration.ofMinutes(2));
            if (event != null && event.type() != CmEventType.DISCONNECTED) {
                awaitDisconnected();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        id.close();
        channel.close();
    }
}
