package org.rdma4j.tools.replay;

import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkException;
import org.rdma4j.link.Route;
import org.rdma4j.link.RouteAttributes;
import org.rdma4j.tools.conform.craft.Wire;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.RoceFrame;

/**
 * Over a link, to the device at the packet's address: its packets, with this host's own headers in front. What comes back is
 * not looked at.
 */
final class LinkOutput implements FrameOutput {

    private final Link link;
    private final Pacing pacing;
    private final Map<RouteAttributes, Route> routes = new HashMap<>();

    LinkOutput(Link link, Pacing pacing) {
        this.link = link;
        this.pacing = pacing;
    }

    @Override
    public String send(long captured, Rewritten frame) {
        RoceFrame roce = frame.roce();
        if (roce == null) {
            return link.name() + " sends RoCE packets only";
        }
        if (roce.destination().equals(link.gids().getFirst())) {
            return "to " + link.name() + " itself";
        }
        Route route;
        try {
            route = routes.computeIfAbsent(
                    new RouteAttributes(roce.destination(), roce.udpSourcePort(), roce.trafficClass(), roce.hopLimit()),
                    link::route);
        } catch (LinkException e) {
            return e.getMessage();
        }
        byte[] packet =
                roce.segment().asSlice(roce.bthOffset(), roce.transportLength()).toArray(ValueLayout.JAVA_BYTE);
        pacing.await(captured);
        Wire.put(link.transmitter(), route, packet, frame.icrcXor());
        link.transmitter().flush(System.nanoTime());
        // Whatever answers: its room is needed for those behind it.
        link.poll((memory, offset, length, info) -> Rule.ACCEPTED, System.nanoTime());
        return null;
    }

    @Override
    public void close() {
        link.close();
    }
}
