package org.rdma4j.conformance;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.QpType;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Psn;

/** Makes packets that follow a connection well enough to get far, and are wrong in one thing or another. */
final class Attacker {

    private static final int MTU = FuzzVictim.PATH_MTU;
    private static final int[] STARTS = {
        Opcode.RC_SEND_FIRST,
        Opcode.RC_SEND_ONLY,
        Opcode.RC_SEND_ONLY_WITH_IMMEDIATE,
        Opcode.RC_SEND_ONLY_WITH_INVALIDATE,
        Opcode.RC_RDMA_WRITE_FIRST,
        Opcode.RC_RDMA_WRITE_ONLY,
        Opcode.RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE,
        Opcode.RC_RDMA_READ_REQUEST,
        Opcode.RC_COMPARE_SWAP,
        Opcode.RC_FETCH_ADD,
        Opcode.RC_FLUSH,
        Opcode.RC_ATOMIC_WRITE
    };
    private static final int LONGEST_DATAGRAM = 5000; // some are longer than the port's MTU
    private static final int[] EDGES = {0, 1, 3, 4, 7, 8, 255, 256, 0x7FFF, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, -1};

    private final FuzzWorld world;
    private final SplittableRandom random;

    Attacker(FuzzWorld world) {
        this.world = world;
        this.random = world.random;
    }

    private boolean oneIn(int chances) {
        return random.nextInt(chances) == 0;
    }

    byte[] packet(FuzzVictim victim) {
        if (oneIn(32)) {
            return noise(victim);
        }
        WirePacket packet = switch (victim.type()) {
            case UC -> request(victim);
            case UD -> datagram();
            default -> oneIn(3) ? response(victim) : request(victim);
        };
        byte[] bytes = packet.toBytes(victim.qpn());
        return oneIn(5) ? mutated(bytes) : bytes;
    }

    // Requests.

    private WirePacket request(FuzzVictim victim) {
        int operation = opcode(victim);
        boolean ofItsService = victim.type() == QpType.UC && operation < Opcode.UC;
        int opcode = ofItsService ? operation | Opcode.UC : operation;
        int psn = victim.expectedPsn;
        if (oneIn(6)) {
            psn = Psn.add(psn, oneIn(4) ? random.nextInt(1 << 24) : random.nextInt(16) - 12);
        }
        WirePacket packet = new WirePacket(opcode, psn)
                .ackReq(random.nextBoolean())
                .solicited(oneIn(4))
                .imm(random.nextInt())
                .invalidates((oneIn(8) ? region() : world.open).rKey());
        int payload = payload(victim, opcode);
        packet.payload(random(payload));
        if (oneIn(64)) {
            packet.pad(random.nextInt(4));
        }
        long span = 1;
        if (Opcode.hasReth(opcode)) {
            span = span(opcode, payload);
            aim(packet, span);
            victim.writeLeft = span;
        } else if (Opcode.hasAtomicEth(opcode)) {
            long address = world.open.address() + (oneIn(16) ? random.nextInt(64) : 8L * random.nextInt(8));
            packet.atomic(address, oneIn(24) ? region().rKey() : world.open.rKey(), random.nextInt(3), 0);
        }
        victim.follows(opcode, psn, payload, opcode == Opcode.RC_RDMA_READ_REQUEST ? span : 1);
        return packet;
    }

    private WirePacket datagram() {
        int opcode = oneIn(32) ? Opcode.UD | random.nextInt(0x20) : Opcode.UD_SEND_ONLY + random.nextInt(2);
        int qKey = oneIn(8) ? random.nextInt() : FuzzVictim.Q_KEY;
        int length = oneIn(64) ? random.nextInt(LONGEST_DATAGRAM) : random.nextInt(1500);
        WirePacket packet = new WirePacket(opcode, random.nextInt(1 << 24))
                .deth(qKey, random.nextInt(1 << 24))
                .imm(random.nextInt())
                .solicited(oneIn(4))
                .payload(random(length));
        return oneIn(16) ? packet.destQp(FuzzWorld.MULTICAST_QPN) : packet;
    }

    private int opcode(FuzzVictim victim) {
        if (oneIn(100)) {
            return random.nextInt(0x20);
        }
        if (oneIn(200)) {
            return random.nextInt(256);
        }
        boolean last = victim.isWriting ? victim.writeLeft <= MTU : random.nextInt(3) == 0;
        if (victim.isWriting) {
            return last ? Opcode.RC_RDMA_WRITE_LAST + random.nextInt(2) : Opcode.RC_RDMA_WRITE_MIDDLE;
        }
        if (victim.isSending) {
            return last ? Opcode.RC_SEND_LAST + random.nextInt(2) : Opcode.RC_SEND_MIDDLE;
        }
        return STARTS[random.nextInt(STARTS.length)];
    }

    private int payload(FuzzVictim victim, int opcode) {
        if (oneIn(64)) {
            return random.nextInt(MTU + 40);
        }
        if (!Opcode.isSend(opcode) && !Opcode.isWrite(opcode)) {
            return 0;
        }
        if (!Opcode.isLastOrOnly(opcode)) {
            return MTU;
        }
        if (Opcode.isWrite(opcode) && !Opcode.isOnly(opcode)) {
            return Math.clamp(victim.writeLeft, 0, MTU);
        }
        return random.nextInt(MTU + 1);
    }

    /** DMALen: what fits the packet, mostly. */
    private long span(int opcode, int payload) {
        if (oneIn(48)) {
            return Integer.toUnsignedLong(EDGES[random.nextInt(EDGES.length)]);
        }
        if (opcode == Opcode.RC_RDMA_READ_REQUEST) {
            return oneIn(8) ? FuzzWorld.PART : random.nextInt(1200);
        }
        return Opcode.isOnly(opcode) ? payload : MTU + 1L + random.nextInt(4 * MTU);
    }

    /** Where the request says it goes: to the open region, mostly, and within it. */
    private void aim(WirePacket packet, long span) {
        MemoryRegion region = oneIn(32) ? region() : world.open;
        long room = Math.max(0, FuzzWorld.PART - span);
        long offset = random.nextLong(room + 1);
        int key = region.rKey();
        if (oneIn(40)) {
            switch (random.nextInt(5)) {
                case 0 -> offset = (long) FuzzWorld.PART - random.nextInt(300); // over the end
                case 1 -> offset = -1L - random.nextInt(300); // from before the start
                case 2 -> offset = random.nextLong(); // anywhere
                case 3 -> key ^= 1 << random.nextInt(32);
                default -> offset = -region.address() - random.nextInt(64); // round the end of all addresses
            }
        }
        packet.reth(region.address() + offset, key, span);
    }

    private MemoryRegion region() {
        return switch (random.nextInt(5)) {
            case 0 -> world.open;
            case 1 -> world.readOnly;
            case 2 -> world.local;
            case 3 -> world.foreign;
            default -> world.unshared();
        };
    }

    // Responses.

    private WirePacket response(FuzzVictim victim) {
        int packets = (int) Math.max(1, (victim.requestLength + MTU - 1) / MTU);
        int index = oneIn(4) ? random.nextInt(packets) : victim.responseIndex;
        int psn = Psn.add(victim.requestPsn, index);
        if (oneIn(8)) {
            psn = Psn.add(psn, oneIn(4) ? random.nextInt(1 << 24) : random.nextInt(9) - 4);
        }
        if (victim.requestOpcode == Opcode.RC_RDMA_READ_REQUEST && !oneIn(4)) {
            victim.responseIndex = (index + 1) % packets;
            return readResponse(victim, psn, index, packets);
        }
        boolean atomic = Opcode.hasAtomicEth(victim.requestOpcode);
        if (atomic ? !oneIn(4) : oneIn(16)) {
            return Packets.atomicAck(psn, random.nextLong());
        }
        if (oneIn(16)) {
            return readResponse(victim, psn, index, packets);
        }
        return Packets.ack(psn).syndrome(syndrome()).msn(random.nextInt(1 << 24));
    }

    private WirePacket readResponse(FuzzVictim victim, int psn, int index, int packets) {
        boolean last = index == packets - 1;
        int opcode = packets == 1
                ? Opcode.RC_RDMA_READ_RESPONSE_ONLY
                : index == 0
                        ? Opcode.RC_RDMA_READ_RESPONSE_FIRST
                        : last ? Opcode.RC_RDMA_READ_RESPONSE_LAST : Opcode.RC_RDMA_READ_RESPONSE_MIDDLE;
        int length = (int) Math.max(0, Math.min(MTU, victim.requestLength - (long) index * MTU));
        if (oneIn(24)) {
            length = random.nextInt(MTU + 40);
        }
        if (oneIn(24)) {
            opcode = Opcode.RC_RDMA_READ_RESPONSE_FIRST + random.nextInt(4);
        }
        return new WirePacket(opcode, psn).payload(random(length));
    }

    private int syndrome() {
        return switch (random.nextInt(8)) {
            case 0 -> 0x20 | random.nextInt(12); // RNR NAK
            case 1 -> 0x60;
            case 2 -> oneIn(3) ? 0x60 + random.nextInt(5) : 0x1F;
            case 3 -> oneIn(3) ? random.nextInt(256) : 0x1F;
            default -> random.nextInt(0x20);
        };
    }

    // Damage.

    private byte[] random(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private byte[] noise(FuzzVictim victim) {
        byte[] bytes = random(random.nextInt(96));
        if (bytes.length >= Bth.LENGTH && !oneIn(4)) {
            bytes[1] &= (byte) 0xF0;
            bytes[2] = (byte) 0xFF;
            bytes[5] = (byte) (victim.qpn() >> 16);
            bytes[6] = (byte) (victim.qpn() >> 8);
            bytes[7] = (byte) victim.qpn();
        }
        return bytes;
    }

    private byte[] mutated(byte[] packet) {
        byte[] bytes = packet;
        for (int rounds = random.nextInt(3); rounds >= 0 && bytes.length > 0; rounds--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(5)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) random.nextInt();
                case 2 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
                case 3 -> bytes = Arrays.copyOf(bytes, bytes.length + random.nextInt(64));
                default -> {
                    int edge = EDGES[random.nextInt(EDGES.length)];
                    for (int i = 0; i < 4 && at + i < bytes.length; i++) {
                        bytes[at + i] = (byte) (edge >> 24 - 8 * i);
                    }
                }
            }
        }
        return bytes;
    }
}
