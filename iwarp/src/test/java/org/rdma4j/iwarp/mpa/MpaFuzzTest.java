package org.rdma4j.iwarp.mpa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.rdma4j.iwarp.craft.FpduStream;
import org.rdma4j.iwarp.wire.MpaFrame;
import org.rdma4j.iwarp.wire.TerminateCode;

/**
 * Five million streams that nobody should send, damaged copies of good ones and noise, cut at random: no exception
 * escapes, nothing behind the end is read (each chunk fills an array of exactly its size), and what comes of each is one
 * of the outcomes that there are. The run is the same every time; {@code -Dseed=} gives another, {@code -Dstreams=} a
 * longer one.
 */
class MpaFuzzTest {

    private static final int STREAMS = Integer.getInteger("streams", 5_000_000);
    private static final long DEFAULT_SEED = 5044;
    private static final int[] EDGES = {0, 1, 2, 4, 0x10, 0x7F, 0x80, 0xFF, 0x0200, 0x0201, 0x8000, 0xFFFC, 0xFFFF};

    private final SplittableRandom random = new SplittableRandom(Long.getLong("seed", DEFAULT_SEED));
    private final MpaSettings[] settings = settings();
    private final List<byte[]> frames = frames();
    private final List<List<byte[]>> streams = streams();
    private final Map<MpaRefusal, Integer> refusals = new EnumMap<>(MpaRefusal.class);
    private final Map<TerminateCode, Integer> errors = new EnumMap<>(TerminateCode.class);
    private int established;
    private int delivered;

    private static MpaSettings[] settings() {
        MpaSettings plain = MpaSettings.defaults().withTimeouts(1000, 1000);
        return new MpaSettings[] {
            plain,
            plain.withEnhanced(false),
            plain.withMarkers(true, false),
            plain.withCrc(true, CrcRule.SIW).withDepths(1, 1),
            plain.withPeerToPeer(true),
            plain.withPeerToPeer(true).withRtrKinds(Set.of(RtrKind.SEND)),
        };
    }

    private List<byte[]> frames() {
        List<byte[]> frames = new ArrayList<>();
        for (MpaSettings each : settings) {
            MpaHandshake initiator = MpaHandshake.initiator(each, new byte[frames.size() % 3 * 9], 0);
            byte[] request =
                    Arrays.copyOf(initiator.toSend().array(), initiator.toSend().limit());
            frames.add(request);
            MpaHandshake responder = MpaHandshake.responder(MpaSettings.defaults(), 0);
            responder.feed(MemorySegment.ofArray(request), 0, request.length, 0);
            responder.accept(1, 1, new byte[frames.size() % 2 * 30]);
            frames.add(responder.toSend().array().clone());
        }
        return frames;
    }

    /** Without and with CRCs, without and with markers, by the lowest two bits of their place. */
    private static List<List<byte[]>> streams() {
        List<List<byte[]>> all = new ArrayList<>();
        for (int kind = 0; kind < 4; kind++) {
            boolean crc = (kind & 1) != 0;
            boolean markers = (kind & 2) != 0;
            all.add(List.of(
                    new FpduStream(markers, crc)
                            .add(new byte[18])
                            .add(new byte[46])
                            .bytes(),
                    new FpduStream(markers, crc)
                            .add(new byte[0])
                            .add(new byte[33])
                            .add(new byte[14])
                            .bytes(),
                    new FpduStream(markers, crc)
                            .add(new byte[500])
                            .add(new byte[21])
                            .bytes()));
        }
        return all;
    }

    @Test
    void takesWhateverComes() {
        for (int number = 0; number < STREAMS; number++) {
            byte[] input = {};
            try {
                if (random.nextInt(5) < 2) {
                    input = mutant(frames);
                    handshake(input);
                } else {
                    int kind = random.nextInt(4);
                    input = mutant(streams.get(kind));
                    stream(input, (kind & 1) != 0, (kind & 2) != 0);
                }
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(
                        "stream " + number + " of -Dseed=" + Long.getLong("seed", DEFAULT_SEED) + ": "
                                + HexFormat.of().formatHex(input),
                        e);
            }
        }
        int few = STREAMS / 10_000;
        assertTrue(established > STREAMS / 100, "established: " + established);
        assertTrue(delivered > STREAMS / 10, "delivered: " + delivered);
        assertTrue(errors.keySet().equals(Set.of(TerminateCode.MPA_CRC, TerminateCode.MPA_MARKER)), errors::toString);
        assertTrue(errors.values().stream().allMatch(count -> count > few), errors::toString);
        for (MpaRefusal refusal : MpaRefusal.values()) {
            assertTrue(refusals.getOrDefault(refusal, 0) > few / 10, () -> refusal + " is not among " + refusals);
        }
    }

    private void handshake(byte[] input) {
        MpaSettings own = settings[random.nextInt(settings.length)];
        boolean asks = random.nextBoolean();
        MpaHandshake side = asks ? MpaHandshake.initiator(own, new byte[0], 0) : MpaHandshake.responder(own, 0);
        int at = 0;
        while (at < input.length && side.takesFrames()) {
            int end = random.nextInt(3) == 0 ? at + 1 + random.nextInt(input.length - at) : input.length;
            MemorySegment chunk = MemorySegment.ofArray(Arrays.copyOfRange(input, at, end));
            int taken = side.feed(chunk, 0, end - at, at);
            assertTrue(taken >= 0 && taken <= end - at);
            at += taken;
            if (side.state() == MpaState.AWAITS_DECISION && random.nextInt(8) > 0) {
                decide(side);
            }
        }
        if (side.state() == MpaState.AWAITS_FIRST_FPDU) {
            byte[] ulpdu = Arrays.copyOfRange(input, 0, random.nextInt(Math.min(input.length, 20) + 1));
            side.onFirstUlpdu(MemorySegment.ofArray(ulpdu), 0, ulpdu.length);
        }
        switch (random.nextInt(3)) {
            case 0 -> side.onTime(5000);
            case 1 -> side.onClosed();
            default -> side.abandon();
        }
        assertTrue(side.privateData().byteSize() <= MpaFrame.MAX_PRIVATE_DATA);
        if (side.state() == MpaState.REFUSED) {
            assertNotNull(side.refusal());
            refusals.merge(side.refusal(), 1, Integer::sum);
        } else if (side.state() == MpaState.ESTABLISHED) {
            established++;
        }
    }

    private void decide(MpaHandshake side) {
        if (random.nextInt(8) == 0) {
            side.reject(new byte[random.nextInt(9)]);
        } else {
            side.accept(random.nextInt(200), random.nextInt(200), new byte[random.nextInt(9)]);
        }
    }

    private void stream(byte[] input, boolean crc, boolean markers) {
        Reading reading = new Reading(markers, crc);
        int cut = random.nextInt(3) == 0 ? random.nextInt(input.length + 1) : input.length;
        reading.chunk(input, 0, cut);
        if (cut < input.length) {
            reading.chunk(input, cut, input.length);
        }
        delivered += reading.ulpdus.size();
        if (reading.refusal() != null) {
            errors.merge(reading.refusal(), 1, Integer::sum);
        } else if (reading.left() > 0) {
            assertTrue(reading.reader.needed() > reading.left(), "what is whole is not held back");
        }
        int bytes = reading.ulpdus.stream().mapToInt(ulpdu -> ulpdu.length).sum();
        assertTrue(bytes <= input.length, "more came out than was in it");
        assertEquals(reading.refusal(), new Reading(markers, crc).all(input).refusal(), "the cut makes a difference");
    }

    private byte[] mutant(List<byte[]> corpus) {
        if (random.nextInt(32) == 0) {
            byte[] noise = new byte[random.nextInt(64)];
            random.nextBytes(noise);
            return noise;
        }
        byte[] bytes = corpus.get(random.nextInt(corpus.size())).clone();
        for (int rounds = random.nextInt(3); rounds > 0 && bytes.length > 1; rounds--) {
            int at = random.nextInt(random.nextBoolean() ? Math.min(bytes.length, 26) : bytes.length);
            switch (random.nextInt(5)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) random.nextInt();
                case 2 -> {
                    int edge = EDGES[random.nextInt(EDGES.length)];
                    int even = Math.min(at & ~1, bytes.length - 2);
                    bytes[even] = (byte) (edge >> 8);
                    bytes[even + 1] = (byte) edge;
                }
                case 3 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
                default -> bytes = Arrays.copyOf(bytes, bytes.length + random.nextInt(40));
            }
        }
        return bytes;
    }
}
