package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.AsyncEventType;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.QpState;

/**
 * A device with one connected RC queue pair, and a peer played by hand. Time stands still unless the test lets it pass.
 * After each test the memory's guard zones are whole; a test that fails prints its ladder.
 */
@ExtendWith(LadderOnFailure.class)
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // for loops without end
abstract class RcScene {

    /** Bytes of registered memory. */
    static final int SIZE = 320 << 10; // more than goes out between two looks at the network

    private static final int MAX_ROUNDS = 1_000_000;

    private final Arena arena = Arena.ofShared();
    final VirtualClock clock = new VirtualClock();
    final Ladder ladder = new Ladder(clock);
    final GuardedMemory memory = GuardedMemory.allocate(arena, SIZE);
    Host device;
    Peer peer;
    MemoryRegion region;

    /** The PSN of the peer's first request. */
    int n;

    /** The PSN of the device's first request. */
    int m;

    /** Connects with these values: device in RTS, memory registered with all rights. */
    final void connect(Setup setup) {
        open(setup);
        device.toInit();
        device.toRtr();
        device.toRts();
    }

    /** A queue pair in RESET, memory registered with all rights. */
    final void open(Setup setup) {
        HandPlayedLink link = new HandPlayedLink(ladder);
        device = new Host(this, link, clock, setup);
        peer = new Peer(this, link);
        region = device.register(memory.inside());
        n = setup.peerPsn;
        m = setup.devicePsn;
    }

    /** Lets the device do all that it can do at this time. */
    final void settle() {
        int idle = 0;
        for (int round = 0; round < MAX_ROUNDS; round++) {
            idle = device.context.progress() ? 0 : idle + 1;
            if (idle == 2) {
                return;
            }
        }
        fail("the device does not come to rest");
    }

    /** Time passes, and the device does what is due then. */
    final void passes(long nanos) {
        clock.advance(nanos);
        ladder.note("... " + nanos / 1e6 + " ms pass");
        settle();
    }

    /** Memory of which only the pages that are touched exist. */
    final MemorySegment sparse(long size) {
        try (FileChannel file = FileChannel.open(
                Files.createTempFile("rdma4j", ".sparse"),
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE)) {
            return file.map(FileChannel.MapMode.READ_WRITE, 0, size, arena);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The local ACK timeout of a code. */
    static long timeout(int code) {
        return 4096L << code;
    }

    /** A PSN's successor, so many packets on. */
    static int plus(int psn, int packets) {
        return (psn + packets) & 0xFF_FFFF;
    }

    /** The last packet was refused by this rule: a fatal NAK, ERR, and an event where no receive tells of it. */
    final void refused(Rule rule, int psn, int syndrome, AsyncEventType event) {
        peer.expects(Packets.nak(psn, syndrome));
        assertEquals(rule, peer.decision());
        assertEquals(QpState.ERR, device.qp.state());
        if (event == null) {
            device.raisesNothing();
        } else {
            device.raises(event);
        }
    }

    /** A good exchange both ways, in a state that a test has left behind. */
    final void isAlive(int peerPsn) {
        peer.sends(Packets.writeOnly(peerPsn).ackReq().at(region, 0, 8).payload(8));
        peer.expects(Packets.ack(peerPsn));
        assertEquals(QpState.RTS, device.qp.state());
    }

    @AfterEach
    final void closeScene() {
        if (device != null) {
            device.close();
        }
        memory.guardsAreWhole();
        arena.close();
    }
}
