package org.rdma4j.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.rdma4j.verbs.TwoDevices.take;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.memory.AccessFlags;

/** On-demand paging, relaxed ordering, huge pages: regions that ask for them work as those that do not. */
class OptionalAccessTest {

    private static final int SIZE = 8192;
    private static final long VALUE = 0x0123_4567_89AB_CDEFL;

    private final TwoDevices two = new TwoDevices().connected();

    @AfterEach
    void close() {
        two.close();
    }

    private void complete(SendWorkRequest wr) {
        two.qp.postSend(wr.signaled());
        two.run();
        assertEquals(WcStatus.SUCCESS, take(two.cq).getFirst().status());
    }

    @ParameterizedTest
    @ValueSource(ints = {AccessFlags.ON_DEMAND, AccessFlags.RELAXED_ORDERING, AccessFlags.HUGETLB})
    void everyOperationGoes(int flag) {
        MemorySegment here = Arena.ofAuto().allocate(SIZE, 8);
        MemorySegment there = Arena.ofAuto().allocate(SIZE, 8);
        for (int at = 0; at < SIZE; at += 8) {
            here.set(ValueLayout.JAVA_LONG, at, VALUE + at);
        }
        MemoryRegion source = two.pd.register(here, Connecting.ACCESS | flag);
        MemoryRegion target = two.pdThere.register(there, Connecting.ACCESS | flag);
        source.prefetch(0, SIZE);
        complete(two.send
                .reset(WrOpcode.RDMA_WRITE)
                .remote(target.address(), target.rKey())
                .sge(source, 0, SIZE));
        assertEquals(-1, here.mismatch(there), "written");
        here.fill((byte) 0);
        complete(two.send
                .reset(WrOpcode.RDMA_READ)
                .remote(target.address(), target.rKey())
                .sge(source, 0, SIZE));
        assertEquals(-1, here.mismatch(there), "read back");
        complete(two.send
                .reset(WrOpcode.ATOMIC_FETCH_AND_ADD)
                .remote(target.address(), target.rKey())
                .fetchAdd(5)
                .sge(source, 8, 8));
        assertEquals(VALUE, here.get(ValueLayout.JAVA_LONG, 8), "the value before");
        assertEquals(VALUE + 5, there.get(ValueLayout.JAVA_LONG, 0));
        two.peer.postReceive(two.receive.reset(1).sge(target, 0, SIZE));
        complete(two.send.reset(WrOpcode.SEND).sge(source, 8, 8));
        assertEquals(VALUE, there.get(ValueLayout.JAVA_LONG, 0), "received");
    }
}
