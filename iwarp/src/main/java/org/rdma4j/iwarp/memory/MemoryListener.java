package org.rdma4j.iwarp.memory;

import java.net.InetSocketAddress;
import java.util.function.Function;
import org.rdma4j.iwarp.stream.StreamHandler;
import org.rdma4j.iwarp.stream.StreamListener;
import org.rdma4j.iwarp.stream.StreamSocket;

/** Takes connections of other networks in memory. */
record MemoryListener(MemoryNetwork network, InetSocketAddress local, Function<StreamSocket, StreamHandler> accept)
        implements StreamListener {

    @Override
    public void close() {
        network.hub().remove(local);
    }
}
