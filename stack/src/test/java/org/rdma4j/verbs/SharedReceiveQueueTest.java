package org.rdma4j.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.rdma4j.verbs.TwoDevices.refused;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rdma4j.link.loop.LoopNetwork;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.verbs.VerbsException.Errno;
import org.rdma4j.wire.Gid;

/** {@code ibv_create_srq}, {@code ibv_modify_srq}, {@code ibv_destroy_srq} and posting, as libibverbs documents them. */
class SharedReceiveQueueTest {

    private static final int DEPTH = 8;

    private final LoopNetwork network = new LoopNetwork();
    private final DeviceContext sender = device(1);
    private final DeviceContext receiver = device(2);
    private final ProtectionDomain pd = receiver.allocPd();
    private final CompletionQueue received = receiver.createCq(64);
    private final ReceiveWorkRequest receive = new ReceiveWorkRequest();
    private final SharedReceiveQueue srq = pd.createSrq(DEPTH, 2);
    private final MemoryRegion region = pd.register(Arena.ofAuto().allocate(4096), AccessFlags.LOCAL_WRITE);

    private DeviceContext device(int host) {
        Random random = new Random(host);
        return DeviceContext.on(
                network.join(Gid.ofIpv4(0x0A00_0000 | host)),
                DeviceOptions.defaults().withProgress(Progress.CALLER).withRandom(random::nextInt));
    }

    @AfterEach
    void close() {
        sender.close();
        receiver.close();
    }

    private void fill(int from, int to) {
        for (int id = from; id < to; id++) {
            srq.post(receive.reset(id).sge(region, 0, 64));
        }
    }

    /** A queue pair of the sender that is connected to one with the shared queue, in a domain of its own or not. */
    private QueuePair connected(ProtectionDomain domain) {
        CompletionQueue cq = sender.createCq(64);
        QueuePair from = sender.allocPd().createQp(QpInitAttributes.rc(cq).withSignalAll(true));
        QueuePair to = domain.createQp(QpInitAttributes.rc(received).withSrq(srq));
        Connecting.both(from, to);
        return from;
    }

    private void send(QueuePair from) {
        from.postSend(new SendWorkRequest().reset(WrOpcode.SEND));
        for (int round = 0; round < 20; round++) {
            sender.progress();
            receiver.progress();
        }
    }

    private List<Long> takeReceived() {
        List<Long> ids = new ArrayList<>();
        WorkCompletion completion = new WorkCompletion();
        while (received.poll(completion)) {
            assertEquals(WcStatus.SUCCESS, completion.status());
            ids.add(completion.wrId());
        }
        return ids;
    }

    @Test
    void receivesAreUsedInTheOrderOfPostingByWhicheverQueuePairNeedsOne() {
        QueuePair first = connected(pd);
        QueuePair second = connected(pd);
        fill(0, 5);
        for (QueuePair from : List.of(second, first, first, second)) {
            send(from);
        }
        assertEquals(List.of(0L, 1L, 2L, 3L), takeReceived());
    }

    @Test
    void itsReceivesMayBeOfAnotherDomainThanTheQueuePair() {
        QueuePair from = connected(receiver.allocPd());
        fill(0, 1);
        from.postSend(new SendWorkRequest()
                .reset(WrOpcode.SEND)
                .inlineData(Arena.ofAuto().allocate(8), 0, 8));
        send(from); // the second one finds no receive
        assertEquals(List.of(0L), takeReceived());
    }

    @Test
    void fullQueueIsNoMemory() {
        fill(0, DEPTH);
        refused(Errno.ENOMEM, "8 entries", () -> fill(9, 10));
    }

    @Test
    void growsAndShrinksWithWhatWaitsInIt() {
        QueuePair from = connected(pd);
        fill(0, 6);
        send(from);
        send(from);
        fill(6, 10);
        srq.resize(100);
        fill(10, 60);
        assertEquals(new SharedReceiveQueue.Attributes(100, 2, 0), srq.query());
        refused(Errno.EINVAL, "58 receives wait", () -> srq.resize(57));
        srq.resize(58);
        refused(Errno.ENOMEM, "58 entries", () -> fill(60, 61));
        for (int message = 2; message < 60; message++) {
            send(from);
        }
        List<Long> ids = takeReceived();
        for (int id = 0; id < 60; id++) {
            assertEquals(id, ids.get(id));
        }
        assertEquals(60, ids.size());
    }

    @Test
    void limitIsWithinTheQueueAndIsToldUntilItComes() {
        refused(Errno.EINVAL, "not 9", () -> srq.armLimit(9));
        refused(Errno.EINVAL, "not -1", () -> srq.armLimit(-1));
        srq.armLimit(5);
        assertEquals(5, srq.query().limit());
        refused(Errno.EINVAL, "below the armed", () -> srq.resize(4));
        srq.armLimit(0);
        srq.resize(4);
    }

    @Test
    void queuePairsOfASharedQueueTakeNoReceivesOfTheirOwn() {
        QueuePair qp = pd.createQp(QpInitAttributes.rc(received).withSrq(srq));
        qp.modify(new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(0));
        refused(Errno.EINVAL, "shared receive queue", () -> qp.postReceive(receive.reset(1)));
    }

    @Test
    void staysWhileQueuePairsUseIt() {
        QueuePair qp = pd.createQp(QpInitAttributes.rc(received).withSrq(srq));
        refused(Errno.EBUSY, "1 queue pairs", srq::close);
        qp.close();
        srq.close();
        srq.close();
        region.close();
        pd.close();
    }

    @Test
    void holdsItsDomain() {
        region.close();
        refused(Errno.EBUSY, "1 regions, windows", pd::close);
        srq.close();
        pd.close();
    }

    @Test
    void anotherDevicesQueueIsRefused() {
        ProtectionDomain other = sender.allocPd();
        QpInitAttributes wanted = QpInitAttributes.rc(sender.createCq(1)).withSrq(srq);
        refused(Errno.EINVAL, "another device", () -> other.createQp(wanted));
    }

    @ParameterizedTest
    @CsvSource({"0, 1, not 0", "65537, 1, not 65537", "1, 0, not 0", "1, 33, not 33"})
    void sizesAreWithinTheDevices(int maxWr, int maxSge, String named) {
        refused(Errno.EINVAL, named, () -> pd.createSrq(maxWr, maxSge));
    }

    @Test
    void tooManyPiecesAreRefused() {
        receive.reset(1).sge(region, 0, 1).sge(region, 1, 1).sge(region, 2, 1);
        refused(Errno.EINVAL, "3 scatter elements", () -> srq.post(receive));
    }
}
