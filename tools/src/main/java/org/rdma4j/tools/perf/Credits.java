package org.rdma4j.tools.perf;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.tools.exchange.KeyRecord;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WrOpcode;

/**
 * What the sender of a bandwidth test may send over iWARP, where a message that finds no receive ends the connection: the
 * receiver WRITEs to the sender how many messages it has taken, for each queue pair a number of 32 bits. perftest does it
 * so, and its numbers are in its machine's order, which is little-endian.
 */
final class Credits implements AutoCloseable {

    private static final ValueLayout.OfInt NUMBER = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final int count;
    private final int depth;
    private final MemorySegment memory; // numbers to give, then numbers that were given
    private final MemoryRegion region;
    private final SendWorkRequest write = new SendWorkRequest();

    /** @param depth receives that are posted on each queue pair */
    Credits(ProtectionDomain pd, Arena arena, int count, int depth) {
        this.count = count;
        this.depth = depth;
        this.memory = arena.allocate(2L * count * Integer.BYTES, Integer.BYTES);
        this.region = pd.register(memory, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
    }

    private static long offset(int number) {
        return (long) number * Integer.BYTES;
    }

    int rKey() {
        return region.rKey();
    }

    /** Where the peer writes a queue pair's number. */
    long address(int index) {
        return region.address() + offset(count + index);
    }

    void reset() {
        memory.fill((byte) 0);
    }

    /** Whether so many messages of a queue pair find receives, as far as the peer has told. */
    boolean allows(int index, int messages) {
        return messages - memory.get(NUMBER, offset(count + index)) < depth;
    }

    /** So many messages have come: every third of the depth the peer is told. */
    void taken(int index, int messages, QueuePair qp, KeyRecord peer) {
        if (messages % Math.max(1, depth / 3) == 0) {
            memory.set(NUMBER, offset(index), messages);
            qp.postSend(write.reset(WrOpcode.RDMA_WRITE)
                    .wrId(index)
                    .sge(region, offset(index), Integer.BYTES)
                    .remote(peer.address(), peer.rKey())
                    .signaled());
        }
    }

    @Override
    public void close() {
        region.close();
    }
}
