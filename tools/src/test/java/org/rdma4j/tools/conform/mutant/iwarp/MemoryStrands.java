package org.rdma4j.tools.conform.mutant.iwarp;

import java.net.InetSocketAddress;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.rdma4j.iwarp.memory.MemoryNetwork;
import org.rdma4j.iwarp.memory.MemorySocket;
import org.rdma4j.iwarp.stream.StreamListener;
import org.rdma4j.tools.conform.iwarp.Strand;
import org.rdma4j.tools.conform.iwarp.Strands;

/** Connections in memory, each with a tamper of its own. */
record MemoryStrands(MemoryNetwork network, LongSupplier clock, Supplier<StreamTamper> tamper) implements Strands {

    private static final int PORT = 7;

    @Override
    public Strand call(InetSocketAddress peer) {
        // The handler has to be there before the socket is: where it comes from is known once it is.
        InetSocketAddress here = new InetSocketAddress(network.address(), PORT);
        MemoryStrand strand = new MemoryStrand(here, peer, true, clock, tamper.get());
        return strand.on(network.connect(here, peer, strand));
    }

    @Override
    public Door open() {
        return new MemoryDoor();
    }

    /** A listener in memory. */
    private final class MemoryDoor implements Door {

        private final StreamListener listener;
        private MemoryStrand come;

        MemoryDoor() {
            listener = network.listen(new InetSocketAddress(network.address(), 0), 1, taken -> {
                come = new MemoryStrand(taken.local(), taken.remote(), false, clock, tamper.get())
                        .on((MemorySocket) taken);
                return come;
            });
        }

        @Override
        public InetSocketAddress address() {
            return listener.local();
        }

        @Override
        public Strand poll() {
            return come;
        }

        @Override
        public void close() {
            listener.close();
        }
    }
}
