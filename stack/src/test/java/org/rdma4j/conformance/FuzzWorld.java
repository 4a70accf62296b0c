package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceOptions;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.Progress;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.ParsedPacket;

/**
 * A device under attack. Its memory: parts that the attacker may write, parts that it may only read, one that is none
 * of its business in each of three ways, and guards around all.
 */
final class FuzzWorld implements AutoCloseable {

    static final Gid ATTACKER = HandPlayedLink.PEER;
    static final Gid GROUP = Gid.ofIpv4(0xEF00_0001);
    static final int MULTICAST_QPN = 0xFF_FFFF;
    static final int PART = 8 << 10;

    /** Filled into all that the attacker may not read; a run of it in a packet is a leak. */
    private static final byte SECRET = (byte) 0xD7;

    private static final int LEAK = 24;
    private static final int VICTIMS = 8;

    final SplittableRandom random;
    final VirtualClock clock = new VirtualClock();
    final DeviceContext device;
    final ProtectionDomain pd;
    final Attacker attacker;

    MemoryRegion open; // all rights
    final MemoryRegion readOnly;
    final MemoryRegion local; // receives and READ responses go here
    final MemoryRegion foreign; // of another protection domain
    private final MemoryRegion unshared; // local rights only, and nobody writes there

    private final Ladder ladder = new Ladder(clock);
    private final HandPlayedLink link = new HandPlayedLink(ladder);
    private final Arena arena = Arena.ofShared();
    private final List<GuardedMemory> memories = new ArrayList<>();
    private final List<GuardedMemory> mustNotChange = new ArrayList<>();
    private final List<FuzzVictim> victims = new ArrayList<>();
    private final FuzzBystander bystander;
    private GuardedMemory openMemory;
    private GuardedMemory closedMemory; // was open, and is deregistered
    private byte[] closedContent = {};
    private long thrown;

    FuzzWorld(SplittableRandom random) {
        this.random = random;
        SplittableRandom numbers = random.split();
        device = DeviceContext.on(
                link,
                DeviceOptions.defaults()
                        .withProgress(Progress.CALLER)
                        .withClock(clock)
                        .withRandom(numbers::nextInt));
        pd = device.allocPd();
        openMemory = memory((byte) 0x11);
        open = pd.register(openMemory.inside(), Setup.ALL_ACCESS | AccessFlags.FLUSH_GLOBAL);
        readOnly = pd.register(unchanging((byte) 0x22), AccessFlags.REMOTE_READ);
        local = pd.register(memory(SECRET).inside(), AccessFlags.LOCAL_WRITE);
        foreign = device.allocPd().register(unchanging(SECRET), Setup.ALL_ACCESS);
        unshared = pd.register(unchanging(SECRET), AccessFlags.LOCAL_WRITE);
        attacker = new Attacker(this);
        bystander = new FuzzBystander(this);
        for (int i = 0; i < VICTIMS; i++) {
            victims.add(new FuzzVictim(this, i));
        }
    }

    private GuardedMemory memory(byte content) {
        GuardedMemory memory = GuardedMemory.around(arena.allocate(PART + GuardedMemory.ROOM, 64), SECRET);
        memory.inside().fill(content);
        memories.add(memory);
        return memory;
    }

    private MemorySegment unchanging(byte content) {
        GuardedMemory memory = memory(content);
        mustNotChange.add(memory);
        return memory.inside();
    }

    /** A region that is open to nobody, for requests that name one all the same. */
    MemoryRegion unshared() {
        return unshared;
    }

    /** A few packets, a little time, perhaps a change of state, and a look at what comes of it. */
    void step() {
        int count = 1 + random.nextInt(8);
        for (int i = 0; i < count; i++) {
            FuzzVictim victim = victims.get(random.nextInt(victims.size()));
            byte[] packet = attacker.packet(victim);
            Gid from = random.nextInt(64) == 0 ? Gid.ofIpv4(random.nextInt()) : ATTACKER;
            throwAt(from, random.nextInt(16) == 0 ? GROUP : HandPlayedLink.DEVICE, packet);
        }
        progress();
        for (FuzzVictim victim : victims) {
            if (random.nextInt(victim.isUp() ? 24 : 2) == 0) {
                victim.changes();
            }
        }
        if (random.nextInt(64) == 0) {
            bystander.exchange();
        }
        if (random.nextInt(128) == 0) {
            clock.advance(random.nextLong(50_000_000));
        }
        if (random.nextInt(4) == 0) {
            open.reregister(Setup.ALL_ACCESS | AccessFlags.FLUSH_GLOBAL); // the attacker may have invalidated them
            readOnly.reregister(AccessFlags.REMOTE_READ);
        }
        if (random.nextInt(2_000) == 0) {
            moveOpenRegion();
        }
    }

    void throwAt(Gid from, byte[] packet) {
        throwAt(from, HandPlayedLink.DEVICE, packet);
    }

    private void throwAt(Gid from, Gid to, byte[] packet) {
        link.inject(from, to, packet);
        thrown++;
    }

    void progress() {
        clock.advance(random.nextInt(5_000));
        device.progress();
        device.progress();
        victims.forEach(FuzzVictim::polls);
        drainEvents();
        for (byte[] packet = link.sent().poll();
                packet != null;
                packet = link.sent().poll()) {
            look(packet);
        }
    }

    private void drainEvents() {
        try {
            while (device.getAsyncEvent(Duration.ZERO) != null) {
                // Whatever the attacker brought about.
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void look(byte[] bytes) {
        ParsedPacket parsed = WirePacket.parse(bytes);
        if (!(parsed instanceof Packet packet)) {
            fail("the device sent a malformed packet: " + parsed);
            return;
        }
        isNoLeak(packet);
        Bth bth = packet.bth();
        if (bth.destQp() == FuzzBystander.PEER_QPN) {
            bystander.sees(packet);
            return;
        }
        for (FuzzVictim victim : victims) {
            if (victim.peerQpn() == bth.destQp()) {
                victim.sees(packet);
            }
        }
    }

    private static void isNoLeak(Packet packet) {
        MemorySegment payload = packet.payload();
        int run = 0;
        for (long i = 0; i < payload.byteSize(); i++) {
            run = payload.get(ValueLayout.JAVA_BYTE, i) == SECRET ? run + 1 : 0;
            assertTrue(run < LEAK, () -> "a packet tells what is not to be read: " + Ladder.describe(packet));
        }
    }

    /** Deregisters the open region, now and then, while requests for it are on their way; another takes its place. */
    private void moveOpenRegion() {
        closedWasLeftAlone();
        open.close();
        closedMemory = openMemory;
        closedContent = closedMemory.get(0, PART);
        openMemory = memories.get(0) == closedMemory ? spare() : memories.get(0);
        openMemory.inside().fill((byte) 0x11);
        open = pd.register(openMemory.inside(), Setup.ALL_ACCESS | AccessFlags.FLUSH_GLOBAL);
    }

    private GuardedMemory spare() {
        if (memories.size() == 5) {
            memory((byte) 0x11);
        }
        return memories.get(5);
    }

    private void closedWasLeftAlone() {
        if (closedMemory != null) {
            closedMemory.holds(0, closedContent);
        }
    }

    /** No byte was touched that was not open to it. */
    void check() {
        closedWasLeftAlone();
        memories.forEach(GuardedMemory::guardsAreWhole);
        for (GuardedMemory memory : mustNotChange) {
            byte content = memory.inside().get(ValueLayout.JAVA_BYTE, 0);
            assertTrue(content == SECRET || content == 0x22);
            assertEquals(
                    -1,
                    memory.inside()
                            .mismatch(MemorySegment.ofArray(new byte[PART]).fill(content)),
                    "memory that is not open to writes");
        }
        bystander.exchange();
        assertEquals(thrown, decided(), "each packet got one rule");
    }

    private long decided() {
        long sum = 0;
        for (Rule rule : Rule.values()) {
            sum += device.decisions(rule);
        }
        return sum;
    }

    long thrown() {
        return thrown;
    }

    long met(Rule rule) {
        return device.decisions(rule);
    }

    Ladder ladder() {
        return ladder;
    }

    @Override
    public void close() {
        device.close();
        arena.close();
    }
}
