package org.rdma4j.schedule;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import org.rdma4j.link.FrameTap;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkCounters;
import org.rdma4j.link.PacketHandler;
import org.rdma4j.link.Route;
import org.rdma4j.link.RouteAttributes;
import org.rdma4j.link.Transmitter;
import org.rdma4j.memory.MemoryBlock;
import org.rdma4j.wire.Gid;

/** A link whose network has a path for each UDP source port, as one that spreads by it; some of them may be dead. */
final class PathsLink implements Link {

    private record PathRoute(Route inner) implements Route {

        @Override
        public Gid remote() {
            return inner.remote();
        }

        @Override
        public RouteAttributes attributes() {
            return inner.attributes();
        }
    }

    private final Link link;
    private final Set<Integer> dead;

    /** @param dead the ports of the dead paths, changed by whoever runs the world */
    PathsLink(Link link, Set<Integer> dead) {
        this.link = link;
        this.dead = dead;
    }

    private final class PathTransmitter implements Transmitter {

        private final Transmitter inner = link.transmitter();
        private final MemorySegment nowhere = MemorySegment.ofArray(new byte[HEADER_ROOM]);
        private boolean lost;

        @Override
        public long begin(Route route) {
            lost = dead.contains(route.attributes().udpSourcePort());
            return lost ? 0 : inner.begin(((PathRoute) route).inner);
        }

        @Override
        public MemorySegment headers() {
            return lost ? nowhere : inner.headers();
        }

        @Override
        public void gather(MemoryBlock block, long offset, int length) {
            if (!lost) {
                inner.gather(block, offset, length);
            }
        }

        @Override
        public void end(int headerLength, int icrcXor) {
            if (!lost) {
                inner.end(headerLength, icrcXor);
            }
        }

        @Override
        public void flush(long now) {
            inner.flush(now);
        }
    }

    @Override
    public Route route(RouteAttributes attributes) {
        return new PathRoute(link.route(attributes));
    }

    @Override
    public Transmitter transmitter() {
        return new PathTransmitter();
    }

    @Override
    public String name() {
        return link.name();
    }

    @Override
    public List<Gid> gids() {
        return link.gids();
    }

    @Override
    public int maxPathMtu() {
        return link.maxPathMtu();
    }

    @Override
    public int interfaceMtu() {
        return link.interfaceMtu();
    }

    @Override
    public int receiveBuffer() {
        return link.receiveBuffer();
    }

    @Override
    public int poll(PacketHandler handler, long now) {
        return link.poll(handler, now);
    }

    @Override
    public void await(long nanos) {
        link.await(nanos);
    }

    @Override
    public void wakeup() {
        link.wakeup();
    }

    @Override
    public void tap(FrameTap tap) {
        link.tap(tap);
    }

    @Override
    public LinkCounters counters() {
        return link.counters();
    }

    @Override
    public void close() {
        link.close();
    }
}
