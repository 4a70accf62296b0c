package org.rdma4j.tools.conform.suite;

import static org.rdma4j.tools.conform.suite.Shapes.dropped;
import static org.rdma4j.tools.conform.suite.Shapes.packets;
import static org.rdma4j.tools.conform.suite.Shapes.refused;
import static org.rdma4j.tools.conform.suite.Shapes.taken;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Responder;
import org.rdma4j.tools.conform.check.Service;
import org.rdma4j.tools.conform.craft.Crafted;
import org.rdma4j.tools.conform.craft.Seen;

/** KEY: R_Keys, ranges, rights and P_Keys. */
final class KeyChecks {

    private static final String CLAUSE = "9.7.4";

    private KeyChecks() {}

    static List<Check> all() {
        List<Check> checks = new ArrayList<>(rKeys());
        checks.addAll(rights());
        return checks;
    }

    private static Check noAccess(
            String id, String title, Service service, String stimulus, Function<Responder, Crafted> packet) {
        return refused(
                id, title, CLAUSE, service, stimulus, peer -> peer.nakAccess(0), peer -> packets(packet.apply(peer)));
    }

    private static List<Check> rKeys() {
        return List.of(
                noAccess(
                        "KEY-01a",
                        "A WRITE with an unknown R_Key is refused",
                        Service.WRITE,
                        "WRITE with the complement of the R_Key",
                        peer -> peer.good(0).rKey(~peer.connection().rKey())),
                noAccess(
                        "KEY-01b",
                        "A READ with an unknown R_Key is refused",
                        Service.READ,
                        "READ with the complement of the R_Key",
                        peer -> peer.good(0).rKey(~peer.connection().rKey())),
                noAccess(
                        "KEY-01c",
                        "A FETCH ADD with an unknown R_Key is refused",
                        Service.ATOMIC,
                        "FETCH ADD with the complement of the R_Key",
                        peer -> peer.good(0).rKey(~peer.connection().rKey())),
                noAccess(
                        "KEY-01d",
                        "A COMPARE SWAP with an unknown R_Key is refused",
                        Service.ATOMIC,
                        "COMPARE SWAP with the complement of the R_Key",
                        peer -> peer.compareSwap(0, 0, 1)
                                .rKey(~peer.connection().rKey())),
                noAccess(
                        "KEY-02a",
                        "The right region with the wrong key byte is refused: WRITE",
                        Service.WRITE,
                        "WRITE, the R_Key's lowest bit flipped",
                        peer -> peer.good(0).rKey(peer.connection().rKey() ^ 1)),
                noAccess(
                        "KEY-02b",
                        "The right region with the wrong key byte is refused: READ",
                        Service.READ,
                        "READ, the R_Key's lowest bit flipped",
                        peer -> peer.good(0).rKey(peer.connection().rKey() ^ 1)),
                noAccess(
                        "KEY-04a",
                        "A WRITE far below the region is refused",
                        Service.WRITE,
                        "WRITE to address - 2^40",
                        peer -> peer.good(0).moved(-(1L << 40))),
                noAccess(
                        "KEY-04b",
                        "A WRITE far above the region is refused",
                        Service.WRITE,
                        "WRITE to address + 2^40",
                        peer -> peer.good(0).moved(1L << 40)),
                noAccess(
                        "KEY-04c",
                        "A WRITE whose range wraps at 2^64 is refused",
                        Service.WRITE,
                        "WRITE of 8 bytes to address 2^64 - 4",
                        peer -> peer.good(0).address(-4)),
                noAccess(
                        "KEY-04d",
                        "A READ far below the region is refused",
                        Service.READ,
                        "READ from address - 2^40",
                        peer -> peer.good(0).moved(-(1L << 40))),
                noAccess(
                        "KEY-04e",
                        "A READ that ends behind the region is refused",
                        Service.READ,
                        "READ of 2^30 bytes",
                        peer -> peer.read(0, 1L << 30)),
                noAccess(
                        "KEY-04f",
                        "A READ whose range wraps at 2^64 is refused",
                        Service.READ,
                        "READ of 64 bytes from address 2^64 - 32",
                        peer -> peer.read(0, 64).address(-32)),
                noAccess(
                        "KEY-04g",
                        "An atomic far above the region is refused",
                        Service.ATOMIC,
                        "FETCH ADD to address + 2^40",
                        peer -> peer.good(0).moved(1L << 40)),
                Check.responder("KEY-04h", "The byte behind the region is refused, the last one is not")
                        .clause(CLAUSE)
                        .inside("knows where the region ends")
                        .stimulus("WRITE of 8 bytes that ends with the region; then one a byte further")
                        .answer("ACK; then NAK remote access error")
                        .story(peer -> {
                            long last = peer.inside().region().length() - 8;
                            peer.send(peer.good(0).moved(last));
                            peer.expect(peer.ack(0));
                            peer.send(peer.good(1).moved(last + 1));
                            peer.refused(peer.nakAccess(1));
                        }),
                Check.responder("KEY-04i", "The byte before the region is refused")
                        .clause(CLAUSE)
                        .inside("knows where the region starts")
                        .stimulus("WRITE of 8 bytes that starts one byte before the region")
                        .answer("NAK remote access error; no byte is written")
                        .story(peer -> {
                            peer.send(peer.good(0).moved(-1));
                            peer.refused(peer.nakAccess(0));
                        }),
                Check.responder("KEY-03", "A region of another protection domain is refused")
                        .clause(CLAUSE)
                        .inside("registers a region in another protection domain")
                        .stimulus("WRITE to a region of another domain")
                        .answer("NAK remote access error")
                        .story(peer -> {
                            try (var pd = peer.inside().device().allocPd();
                                    var region = pd.register(
                                            peer.inside().region().memory(),
                                            AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE)) {
                                peer.send(peer.good(0).rKey(region.rKey()).address(region.address()));
                                peer.refused(peer.nakAccess(0));
                            }
                        }),
                Check.responder("KEY-05", "A region without REMOTE_WRITE is refused")
                        .clause(CLAUSE)
                        .inside("registers a region without the right")
                        .stimulus("WRITE to a region that may only be read")
                        .answer("NAK remote access error")
                        .story(peer -> {
                            try (var region = peer.inside()
                                    .pd()
                                    .register(
                                            peer.inside().region().memory(),
                                            AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ)) {
                                peer.send(peer.good(0).rKey(region.rKey()).address(region.address()));
                                peer.refused(peer.nakAccess(0));
                            }
                        }),
                Check.responder("KEY-07", "A region that was deregistered is refused")
                        .clause(CLAUSE)
                        .inside("deregisters the region")
                        .stimulus("WRITE, the region goes, WRITE")
                        .answer("ACK, NAK remote access error")
                        .story(peer -> {
                            peer.send(peer.good(0));
                            peer.expect(peer.ack(0));
                            peer.inside().region().close();
                            peer.send(peer.good(1));
                            peer.expect(peer.nakAccess(1));
                            peer.spend();
                        }),
                Check.responder("KEY-09", "A region that goes in the middle of a WRITE ends it")
                        .clause("10.6")
                        .inside("deregisters the region")
                        .stimulus("WRITE FIRST, the region goes, LAST")
                        .answer("NAK remote access error with the LAST's PSN")
                        .story(peer -> {
                            peer.send(peer.writeFirst(0, peer.mtu() + 8L).ackReq());
                            peer.expect(peer.ack(0));
                            peer.inside().region().close();
                            peer.send(peer.writeLast(1, 8).ackReq());
                            peer.expect(peer.nakAccess(1));
                            peer.spend();
                        }));
    }

    private static List<Check> rights() {
        return List.of(
                notAllowed(
                        "KEY-06a",
                        "A READ is refused where the queue pair allows WRITEs only",
                        Service.WRITE,
                        peer -> peer.read(0, 8)),
                notAllowed(
                        "KEY-06b",
                        "A WRITE is refused where the queue pair allows READs only",
                        Service.READ,
                        peer -> peer.writeOnly(0, 8).ackReq()),
                notAllowed(
                        "KEY-06c",
                        "A WRITE is refused where the queue pair allows atomics only",
                        Service.ATOMIC,
                        peer -> peer.writeOnly(0, 8).ackReq()),
                notAllowed(
                        "RDA-23",
                        "An atomic is refused where the queue pair allows WRITEs only",
                        Service.WRITE,
                        peer -> peer.fetchAdd(0, 1)),
                notAllowed(
                        "OPS-12",
                        "A COMPARE SWAP is refused where the queue pair allows READs only",
                        Service.READ,
                        peer -> peer.compareSwap(0, 0, 1)),
                dropped(
                        "KEY-11",
                        "Another P_Key is dropped",
                        "10.9",
                        "a WRITE with P_Key 0x8001",
                        peer -> peer.good(0).pKey(0x8001)),
                taken(
                        "KEY-12a",
                        "The limited member's P_Key of the same partition is taken",
                        "10.9",
                        "a WRITE with P_Key 0x7FFF",
                        peer -> peer.good(0).pKey(0x7FFF)),
                taken(
                        "KEY-12b",
                        "The full member's P_Key is taken",
                        "10.9",
                        "a WRITE with P_Key 0xFFFF",
                        peer -> peer.good(0).pKey(0xFFFF)),
                dropped(
                        "KEY-13a",
                        "P_Key 0 is dropped",
                        "10.9",
                        "a WRITE with P_Key 0x0000",
                        peer -> peer.good(0).pKey(0)),
                dropped(
                        "KEY-13b",
                        "P_Key 0x8000 is dropped",
                        "10.9",
                        "a WRITE with P_Key 0x8000",
                        peer -> peer.good(0).pKey(0x8000)));
    }

    /** Class C of 9.9.3; the standard's table lets a device call it an access error. */
    private static Check notAllowed(String id, String title, Service service, Function<Responder, Crafted> packet) {
        return Check.responder(id, title)
                .clause(CLAUSE)
                .on(service)
                .stimulus("the operation that is not allowed")
                .answer("NAK invalid request, then silence")
                .story(peer -> {
                    peer.send(packet.apply(peer));
                    Seen answer = peer.next();
                    String mismatch = peer.nakInvalid(0).msn(peer.msn(0)).mismatch(answer.packet());
                    peer.require(mismatch == null, "it got " + peer.describe(answer) + ": " + mismatch);
                    peer.dead();
                });
    }
}
