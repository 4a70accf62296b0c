package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.rdma4j.trace.Rule;

/**
 * Two million packets that nobody should send, thrown at queue pairs in every state: well-formed but hostile ones that
 * follow the connection's PSNs, damaged copies of them, and noise. No exception escapes, no byte is touched or told
 * that was not registered for it, every packet gets a rule, and a good connection next to them goes on. The run is the
 * same every time; {@code -Dseed=} gives another, {@code -Dpackets=} a longer one.
 */
class EngineFuzzTest {

    private static final int PACKETS = Integer.getInteger("packets", 2_000_000);
    private static final long DEFAULT_SEED = 4791;
    private static final int BATCHES_A_CHECK = 2_000;

    /** What the attack is there to provoke: a run without one of these proves nothing about it. */
    private static final List<Rule> MUST_BE_MET = List.of(
            Rule.ACCEPTED,
            Rule.ACCEPTED_ACK,
            Rule.DUPLICATE_ANSWERED,
            Rule.TOO_SHORT,
            Rule.TRANSPORT_VERSION,
            Rule.UNKNOWN_QP,
            Rule.OPCODE_CLASS,
            Rule.PKEY_MISMATCH,
            Rule.WRONG_PEER,
            Rule.QP_NOT_READY,
            Rule.PSN_SEQUENCE,
            Rule.PSN_SEQUENCE_WAITING,
            Rule.DUPLICATE_DROPPED,
            Rule.OPCODE_SEQUENCE,
            Rule.OPCODE_RESERVED,
            Rule.PAYLOAD_LENGTH,
            Rule.MESSAGE_LENGTH,
            Rule.RECEIVE_TOO_SMALL,
            Rule.RECEIVE_NOT_READY,
            Rule.RECEIVE_NOT_READY_WAITING,
            Rule.QP_ACCESS,
            Rule.REMOTE_ACCESS,
            Rule.ATOMIC_ALIGNMENT,
            Rule.TOO_MANY_READS,
            Rule.RECEIVE_FAULT,
            Rule.INVALIDATE_FAULT,
            Rule.UC_GAP,
            Rule.UC_NO_MESSAGE,
            Rule.UC_SEQUENCE,
            Rule.UC_RECEIVE_TOO_SMALL,
            Rule.UC_LENGTH,
            Rule.UC_ACCESS,
            Rule.UC_OPCODE,
            Rule.LOCAL_RECEIVE_FAULT,
            Rule.RECEIVE_MISSING,
            Rule.QKEY_MISMATCH,
            Rule.DATAGRAM_OPCODE,
            Rule.DATAGRAM_TOO_LONG,
            Rule.DATAGRAM_DOES_NOT_FIT,
            Rule.MULTICAST_ADDRESS,
            Rule.GHOST_ACK,
            Rule.ACK_AHEAD,
            Rule.RESPONSE_GAP,
            Rule.RESPONSE_UNEXPECTED,
            Rule.RESPONSE_LENGTH,
            Rule.AETH_RESERVED,
            Rule.NAK_RECEIVED,
            Rule.RNR_NAK_RECEIVED,
            Rule.RECOVERING);

    @Test
    void survivesHostilePackets() {
        long seed = Long.getLong("seed", DEFAULT_SEED);
        SplittableRandom random = new SplittableRandom(seed);
        try (FuzzWorld world = new FuzzWorld(random)) {
            long batch = 0;
            try {
                while (world.thrown() < PACKETS) {
                    world.step();
                    if (++batch % BATCHES_A_CHECK == 0) {
                        world.check();
                    }
                }
                world.check();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("batch " + batch + " of -Dseed=" + seed + ": " + e + "\n" + world.ladder(), e);
            }
            for (Rule rule : MUST_BE_MET) {
                assertTrue(world.met(rule) > 0, () -> "no packet of -Dseed=" + seed + " met " + rule);
            }
        }
    }
}
