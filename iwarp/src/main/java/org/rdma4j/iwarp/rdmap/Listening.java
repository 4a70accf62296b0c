package org.rdma4j.iwarp.rdmap;

import java.net.InetSocketAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.rdma4j.iwarp.ConnectionEvents;
import org.rdma4j.iwarp.IwarpListener;
import org.rdma4j.iwarp.mpa.MpaSettings;
import org.rdma4j.iwarp.stream.StreamHandler;
import org.rdma4j.iwarp.stream.StreamListener;
import org.rdma4j.iwarp.stream.StreamSocket;

/** Takes connections and has their requests read. */
final class Listening implements IwarpListener {

    private final IwarpEngine engine;
    private final MpaSettings settings;
    private final ConnectionEvents events;
    private final StreamListener socket;
    private final Set<Connection> unasked = new LinkedHashSet<>();

    Listening(IwarpEngine engine, InetSocketAddress local, int backlog, MpaSettings settings, ConnectionEvents events) {
        this.engine = engine;
        this.settings = settings;
        this.events = events;
        this.socket = engine.network().listen(local, backlog, this::accept);
    }

    private StreamHandler accept(StreamSocket taken) {
        Connection connection = Connection.asked(engine, taken, settings, this, events);
        unasked.add(connection);
        return connection;
    }

    /** Its request is there, or it is over. */
    void settled(Connection connection) {
        unasked.remove(connection);
    }

    @Override
    public InetSocketAddress local() {
        return socket.local();
    }

    @Override
    public void close() {
        socket.close();
        for (Connection connection : List.copyOf(unasked)) {
            connection.abort();
        }
    }
}
