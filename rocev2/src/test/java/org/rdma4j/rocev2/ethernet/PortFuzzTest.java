package org.rdma4j.rocev2.ethernet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rdma4j.link.LinkCounters;
import org.rdma4j.wire.Encapsulation;

/** Whatever frames come: no exception, and each packet that is counted is good, of a wrong ICRC, or malformed. */
class PortFuzzTest {

    private static final int FRAMES = 200_000;

    @ParameterizedTest
    @EnumSource(names = {"ROCE_V1", "ROCE_V2_IPV4", "ROCE_V2_IPV6"})
    void takesAnyFrames(Encapsulation encapsulation) {
        long seed = Long.getLong("seed", 4791);
        Random random = new Random(seed);
        Station left = new Station(Station.config(encapsulation, 1));
        Station right = new Station(Station.config(encapsulation, 2));
        left.send(left.route(right.config.gid()), 1, 20);
        left.poll();
        byte[][] seeds = new byte[3][];
        byte[] question = left.io.sent.isEmpty() ? new byte[60] : left.io.sent.getLast();
        left.exchange(right);
        left.send(left.route(right.config.gid()), 2, 40);
        seeds[0] = left.io.takeSent().getLast();
        seeds[1] = question;
        seeds[2] = new byte[120];
        for (int i = 0; i < FRAMES; i++) {
            byte[] frame = seeds[random.nextInt(3)].clone();
            for (int change = random.nextInt(4); change > 0; change--) {
                frame[random.nextInt(frame.length)] = (byte) random.nextInt();
            }
            if (random.nextInt(4) == 0) {
                frame = Arrays.copyOf(frame, random.nextInt(frame.length + 1));
            }
            right.io.arrive(frame);
            right.poll();
        }
        LinkCounters counters = right.link.counters();
        assertTrue(counters.malformed > 0 && counters.icrcErrors > 0, "seed " + seed);
        assertEquals(
                counters.receivedPackets,
                right.packets.size() + counters.malformed + counters.icrcErrors,
                "seed " + seed);
    }
}
