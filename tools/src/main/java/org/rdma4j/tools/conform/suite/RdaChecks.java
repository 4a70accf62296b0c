package org.rdma4j.tools.conform.suite;

import static org.rdma4j.tools.conform.suite.Shapes.packets;
import static org.rdma4j.tools.conform.suite.Shapes.refused;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Responder;
import org.rdma4j.tools.conform.check.Service;
import org.rdma4j.tools.conform.check.Setup;
import org.rdma4j.tools.conform.craft.Crafted;
import org.rdma4j.tools.conform.craft.Expected;
import org.rdma4j.tools.conform.craft.Seen;
import org.rdma4j.wire.AtomicAckEth;

/** RDA: a responder's READs and atomics. */
final class RdaChecks {

    private static final long ADDED = 0x1122_3344_5566_7788L;

    private RdaChecks() {}

    static List<Check> all() {
        List<Check> checks = new ArrayList<>(reads());
        checks.addAll(atomics());
        return checks;
    }

    private static List<Check> reads() {
        return List.of(
                size("RDA-01a", "A READ of one byte", mtu -> 1),
                size("RDA-01b", "A READ of one byte less than the path MTU", mtu -> mtu - 1),
                size("RDA-01c", "A READ of exactly the path MTU", mtu -> mtu),
                size("RDA-01d", "A READ of one byte more than the path MTU", mtu -> mtu + 1),
                size("RDA-01e", "A READ of three path MTUs", mtu -> 3 * mtu),
                Check.responder("RDA-01f", "A READ of 64 KiB")
                        .clause("9.7.5")
                        .on(Service.READ)
                        .stimulus("a READ of 65 536 bytes")
                        .answer("FIRST, MIDDLEs, LAST with contiguous PSNs")
                        .story(peer -> {
                            int length = 65536;
                            peer.send(peer.read(0, length));
                            peer.expect(response(peer, 0, length));
                            peer.alive(length / peer.mtu());
                        }),
                Check.responder("RDA-03", "A READ of no bytes is answered whatever its R_Key and address")
                        .clause("C9-88")
                        .on(Service.READ)
                        .stimulus("a READ of length 0 with a wrong R_Key and address 0")
                        .answer("READ RESPONSE ONLY without data")
                        .story(peer -> {
                            peer.send(peer.read(0, 0)
                                    .rKey(~peer.connection().rKey())
                                    .address(0));
                            peer.expect(peer.readOnly(0, 0).msn(peer.msn(1)));
                            peer.alive(1);
                        }),
                Check.responder("RDA-04", "A repeated READ is answered in full with the same PSNs")
                        .clause("9.7.5")
                        .on(Service.READ)
                        .stimulus("a READ of three packets, twice")
                        .answer("the same response twice")
                        .story(peer -> {
                            int length = 3 * peer.mtu();
                            peer.send(peer.read(0, length));
                            byte[] once = data(peer, 0, length);
                            peer.send(peer.read(0, length));
                            byte[] twice = data(peer, 0, length);
                            peer.require(Arrays.equals(once, twice), "the second response has other bytes");
                            peer.alive(3);
                        }),
                Check.responder("RDA-05a", "The tail of a READ is answered from there")
                        .clause("9.7.5")
                        .on(Service.READ)
                        .stimulus("a READ of four packets; then PSN +2, address +2 MTU, the rest of the length")
                        .answer(
                                "two packets with PSN +2 and +3 and the bytes of there; the first has an AETH, or is a MIDDLE")
                        .open("the tail is a response of its own", "the tail goes on with MIDDLE and LAST")
                        .story(peer -> {
                            int length = 4 * peer.mtu();
                            peer.send(peer.read(0, length));
                            byte[] bytes = data(peer, 0, length);
                            byte[] third = Arrays.copyOfRange(bytes, 2 * peer.mtu(), 3 * peer.mtu());
                            byte[] fourth = Arrays.copyOfRange(bytes, 3 * peer.mtu(), length);
                            peer.send(peer.read(2, 2L * peer.mtu()).moved(2L * peer.mtu()));
                            Seen first = peer.next();
                            boolean own = peer.readFirst(2).payload(third).mismatch(first.packet()) == null;
                            String mismatch = peer.readMiddle(2).payload(third).mismatch(first.packet());
                            peer.require(
                                    own || mismatch == null,
                                    "the tail begins with " + peer.describe(first) + ": " + mismatch);
                            peer.expect(peer.readLast(3, peer.mtu()).payload(fourth));
                            peer.records(
                                    own
                                            ? "the tail is a response of its own"
                                            : "the tail goes on with MIDDLE and LAST");
                            peer.alive(4);
                        }),
                Check.responder("RDA-05b", "The last packet of a READ alone is answered alone")
                        .clause("9.7.5")
                        .on(Service.READ)
                        .stimulus("a READ of three packets; then its last packet")
                        .answer("one packet with that PSN and those bytes, ONLY or LAST")
                        .open("ONLY", "LAST")
                        .story(peer -> {
                            int length = 3 * peer.mtu();
                            peer.send(peer.read(0, length));
                            byte[] last = Arrays.copyOfRange(data(peer, 0, length), 2 * peer.mtu(), length);
                            peer.send(peer.read(2, peer.mtu()).moved(2L * peer.mtu()));
                            Seen only = peer.next();
                            boolean isOnly =
                                    peer.readOnly(2, peer.mtu()).payload(last).mismatch(only.packet()) == null;
                            String mismatch =
                                    peer.readLast(2, peer.mtu()).payload(last).mismatch(only.packet());
                            peer.require(isOnly || mismatch == null, "it got " + peer.describe(only) + ": " + mismatch);
                            peer.records(isOnly ? "ONLY" : "LAST");
                            peer.alive(3);
                        }),
                different("RDA-06a", "A repeated READ of more bytes", (peer, read) -> peer.read(0, 3L * peer.mtu())),
                different(
                        "RDA-06b",
                        "A repeated READ from another address",
                        (peer, read) -> peer.read(0, 2L * peer.mtu()).moved(8)),
                different(
                        "RDA-06c",
                        "A repeated READ with another R_Key",
                        (peer, read) -> peer.read(0, 2L * peer.mtu())
                                .rKey(~peer.connection().rKey())),
                Check.responder("RDA-07", "A repeated READ may find other bytes")
                        .clause("9.7.1")
                        .on(Service.READ)
                        .inside("changes the memory")
                        .stimulus("a READ, the memory changes, the READ again")
                        .answer("a response with the bytes of now")
                        .story(peer -> {
                            peer.send(peer.read(0, 16));
                            peer.expect(peer.readOnly(0, 16));
                            byte[] changed = new byte[16];
                            peer.inside().set(0, changed);
                            peer.send(peer.read(0, 16));
                            peer.expect(peer.readOnly(0, 16).payload(changed));
                            peer.alive(1);
                        }),
                Check.responder("RDA-08", "A repeated READ of memory that has gone does no harm")
                        .clause("9.7.1")
                        .on(Service.READ)
                        .inside("deregisters the memory")
                        .stimulus("a READ, the region is deregistered, the READ again")
                        .answer("nothing, or a NAK")
                        .open("dropped", "NAK remote access error")
                        .story(peer -> {
                            peer.send(peer.read(0, 16));
                            peer.expect(peer.readOnly(0, 16));
                            peer.inside().region().close();
                            peer.send(peer.read(0, 16));
                            Seen answer = peer.next(peer.connection().timing().quiet());
                            peer.require(
                                    answer == null || peer.nakAccess(0).mismatch(answer.packet()) == null,
                                    "bytes of deregistered memory were sent");
                            peer.records(answer == null ? "dropped" : "NAK remote access error");
                            peer.spend();
                        }),
                Check.responder("RDA-09", "One READ more than the peer keeps resources for is refused")
                        .clause("9.7.4")
                        .on(Service.READ)
                        .setup(Setup.STOCK.withRdAtomic(1, 2))
                        .stimulus("max_dest_rd_atomic is 2; READs of 64 KiB, as many as it takes, at once")
                        .answer("NAK invalid request, or all are answered")
                        .open("NAK invalid request", "all are answered")
                        .story(peer -> {
                            int packets = 65536 / peer.mtu();
                            Crafted[] reads = new Crafted[4];
                            for (int index = 0; index < reads.length; index++) {
                                reads[index] = peer.read(index * packets, 65536);
                            }
                            peer.send(reads);
                            List<Seen> answers = peer.rest();
                            boolean refused = answers.stream()
                                    .anyMatch(answer ->
                                            peer.nakInvalid(2 * packets).mismatch(answer.packet()) == null);
                            peer.require(
                                    refused || answers.size() == reads.length * packets,
                                    answers.size() + " packets came, and no NAK invalid request");
                            peer.records(refused ? "NAK invalid request" : "all are answered");
                            peer.spend();
                        }));
    }

    private static Check size(String id, String what, IntFunction<Integer> size) {
        return Check.responder(id, what + " has the right packets and the right bytes")
                .clause("9.7.5")
                .on(Service.READ)
                .stimulus(what)
                .answer("ONLY, or FIRST, MIDDLEs of one MTU each, LAST; twice the same bytes, those in memory")
                .story(peer -> {
                    int length = size.apply(peer.mtu());
                    peer.send(peer.read(0, length));
                    byte[] bytes = data(peer, 0, length);
                    peer.memoryIs(0, bytes);
                    int packets = (length + peer.mtu() - 1) / peer.mtu();
                    peer.send(peer.read(packets, length));
                    byte[] again = data(peer, packets, length);
                    peer.require(Arrays.equals(bytes, again), "the second response has other bytes");
                    peer.alive(2 * packets);
                });
    }

    /** The packets of a response. */
    private static Expected[] response(Responder peer, int place, int length) {
        int last = Math.max(0, length - 1) / peer.mtu();
        if (last == 0) {
            return new Expected[] {peer.readOnly(place, length)};
        }
        List<Expected> packets = new ArrayList<>(List.of(peer.readFirst(place)));
        for (int index = 1; index < last; index++) {
            packets.add(peer.readMiddle(place + index));
        }
        packets.add(peer.readLast(place + last, length - last * peer.mtu()));
        return packets.toArray(Expected[]::new);
    }

    /** The bytes of a response, whose packets are right. */
    private static byte[] data(Responder peer, int place, int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        for (Expected expected : response(peer, place, length)) {
            Seen packet = peer.expectWithin(peer.connection().timing().answer(), expected);
            bytes.put(packet.packet().payload().asByteBuffer());
        }
        return bytes.array();
    }

    /** What a duplicate asks for. */
    private interface Duplicate {
        Crafted of(Responder peer, Crafted read);
    }

    private static Check different(String id, String what, Duplicate duplicate) {
        return Check.responder(id, what + " is dropped")
                .clause("9.7.1")
                .on(Service.READ)
                .stimulus("a READ of two packets; then " + what.toLowerCase(java.util.Locale.ROOT))
                .answer("nothing")
                .story(peer -> {
                    Crafted read = peer.read(0, 2L * peer.mtu());
                    peer.send(read);
                    peer.expect(response(peer, 0, 2 * peer.mtu()));
                    peer.send(duplicate.of(peer, read));
                    peer.silence();
                    peer.alive(2);
                });
    }

    private static List<Check> atomics() {
        return List.of(
                Check.responder("RDA-20a", "COMPARE SWAP swaps where the value is the one compared with")
                        .clause("9.4.5")
                        .on(Service.ATOMIC)
                        .stimulus("COMPARE SWAP with the value that is there; then FETCH ADD 0")
                        .answer("the original value; then the new one")
                        .story(peer -> {
                            long original = value(peer, 0);
                            peer.send(peer.compareSwap(1, original, ADDED));
                            peer.expect(peer.atomicAck(1).original(original));
                            peer.send(peer.fetchAdd(2, 0));
                            peer.expect(peer.atomicAck(2).original(ADDED));
                            peer.memoryIs(0, inMemory(ADDED));
                            peer.alive(3);
                        }),
                Check.responder("RDA-20b", "COMPARE SWAP leaves another value as it is")
                        .clause("9.4.5")
                        .on(Service.ATOMIC)
                        .stimulus("COMPARE SWAP with another value; then FETCH ADD 0")
                        .answer("the original value, both times")
                        .story(peer -> {
                            long original = value(peer, 0);
                            peer.send(peer.compareSwap(1, original + 1, ADDED));
                            peer.expect(peer.atomicAck(1).original(original));
                            peer.send(peer.fetchAdd(2, 0));
                            peer.expect(peer.atomicAck(2).original(original));
                            peer.memoryIs(0, inMemory(original));
                            peer.alive(3);
                        }),
                Check.responder("RDA-21a", "FETCH ADD returns the original value and adds")
                        .clause("9.4.5")
                        .on(Service.ATOMIC)
                        .stimulus("FETCH ADD of a value, then of 0")
                        .answer("the original value, then the sum")
                        .story(peer -> {
                            long original = value(peer, 0);
                            peer.send(peer.fetchAdd(1, ADDED), peer.fetchAdd(2, 0));
                            peer.expect(
                                    peer.atomicAck(1).original(original),
                                    peer.atomicAck(2).original(original + ADDED));
                            peer.memoryIs(0, inMemory(original + ADDED));
                            peer.alive(3);
                        }),
                Check.responder("RDA-21b", "FETCH ADD wraps at 2^64")
                        .clause("9.4.5")
                        .on(Service.ATOMIC)
                        .stimulus("the value is made 2^64 - 1, then 2 is added")
                        .answer("2^64 - 1, then 1")
                        .story(peer -> {
                            long original = value(peer, 0);
                            peer.send(peer.fetchAdd(1, -1 - original), peer.fetchAdd(2, 2), peer.fetchAdd(3, 0));
                            peer.expect(
                                    peer.atomicAck(1).original(original),
                                    peer.atomicAck(2).original(-1),
                                    peer.atomicAck(3).original(1));
                            peer.alive(4);
                        }),
                refused(
                        "RDA-22a",
                        "A FETCH ADD to an address that is no multiple of 8 is refused",
                        "9.4.5",
                        Service.ATOMIC,
                        "FETCH ADD to address + 4",
                        peer -> peer.nakInvalid(0),
                        peer -> packets(peer.fetchAdd(0, 1).moved(4))),
                refused(
                        "RDA-22b",
                        "A COMPARE SWAP to an address that is no multiple of 8 is refused",
                        "9.4.5",
                        Service.ATOMIC,
                        "COMPARE SWAP to address + 1",
                        peer -> peer.nakInvalid(0),
                        peer -> packets(peer.compareSwap(0, 0, 1).moved(1))),
                Check.responder(
                                "RDA-24a",
                                "A repeated FETCH ADD is answered with the saved value and not executed again")
                        .clause("9.7.1")
                        .on(Service.ATOMIC)
                        .stimulus("FETCH ADD 1, three times with one PSN; then FETCH ADD 0")
                        .answer("the original value three times; 1 was added once")
                        .story(peer -> {
                            long original = value(peer, 0);
                            for (int round = 0; round < 3; round++) {
                                peer.send(peer.fetchAdd(1, 1));
                                peer.expect(peer.atomicAck(1).original(original));
                            }
                            peer.send(peer.fetchAdd(2, 0));
                            peer.expect(peer.atomicAck(2).original(original + 1));
                            peer.alive(3);
                        }),
                Check.responder("RDA-24b", "A repeated COMPARE SWAP is answered with the saved value")
                        .clause("9.7.1")
                        .on(Service.ATOMIC)
                        .stimulus("a COMPARE SWAP that swaps, twice with one PSN")
                        .answer("the original value twice")
                        .story(peer -> {
                            long original = value(peer, 0);
                            peer.send(peer.compareSwap(1, original, ADDED));
                            peer.expect(peer.atomicAck(1).original(original));
                            peer.send(peer.compareSwap(1, original, ADDED));
                            peer.expect(peer.atomicAck(1).original(original));
                            peer.alive(2);
                        }),
                Check.responder("RDA-24c", "An older atomic that is repeated gets its own value")
                        .clause("9.7.1")
                        .on(Service.ATOMIC)
                        .stimulus("three FETCH ADDs of 1; then the first one again")
                        .answer("the value that the first one found")
                        .story(peer -> {
                            long original = value(peer, 0);
                            peer.send(peer.fetchAdd(1, 1), peer.fetchAdd(2, 1), peer.fetchAdd(3, 1));
                            peer.expect(
                                    peer.atomicAck(1).original(original),
                                    peer.atomicAck(2).original(original + 1),
                                    peer.atomicAck(3).original(original + 2));
                            peer.send(peer.fetchAdd(1, 1));
                            peer.expect(peer.atomicAck(1).original(original));
                            peer.alive(4);
                        }),
                Check.responder("RDA-25", "A repeated atomic that no resource is kept for is dropped")
                        .clause("9.7.1")
                        .on(Service.ATOMIC)
                        .setup(Setup.STOCK.withRdAtomic(1, 2))
                        .stimulus("max_dest_rd_atomic is 2; four FETCH ADDs one by one; then the first one again")
                        .answer("nothing")
                        .story(peer -> {
                            for (int place = 0; place < 4; place++) {
                                peer.send(peer.fetchAdd(place, 1));
                                peer.expect(peer.atomicAck(place));
                            }
                            peer.send(peer.fetchAdd(0, 1));
                            peer.silence();
                            peer.alive(4);
                        }),
                Check.responder("RDA-26", "A repeated atomic with another operand gets the saved value")
                        .clause("9.7.5")
                        .on(Service.ATOMIC)
                        .stimulus("FETCH ADD 1, then FETCH ADD 1000 with the same PSN, then FETCH ADD 0")
                        .answer("the original value twice, or once; 1 was added")
                        .open("the saved value", "dropped")
                        .story(peer -> {
                            long original = value(peer, 0);
                            peer.send(peer.fetchAdd(1, 1));
                            peer.expect(peer.atomicAck(1).original(original));
                            peer.send(peer.fetchAdd(1, 1000));
                            Seen again = peer.next(peer.connection().timing().quiet());
                            peer.require(
                                    again == null
                                            || peer.atomicAck(1)
                                                            .original(original)
                                                            .mismatch(again.packet())
                                                    == null,
                                    "the duplicate got another value");
                            peer.send(peer.fetchAdd(2, 0));
                            peer.expect(peer.atomicAck(2).original(original + 1));
                            peer.records(again == null ? "dropped" : "the saved value");
                            peer.alive(3);
                        }));
    }

    /** The value in the peer's memory: that of a FETCH ADD of 0. */
    private static long value(Responder peer, int place) {
        peer.send(peer.fetchAdd(place, 0));
        Seen answer = peer.expectWithin(peer.connection().timing().answer(), peer.atomicAck(place));
        return answer.packet().extension(AtomicAckEth.class).orElseThrow().original();
    }

    /** Memory has the host's byte order, whatever the wire's. */
    private static byte[] inMemory(long value) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .putLong(value)
                .array();
    }
}
