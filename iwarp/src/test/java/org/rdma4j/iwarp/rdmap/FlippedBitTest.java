package org.rdma4j.iwarp.rdmap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.rdma4j.iwarp.ConnectionEnd;
import org.rdma4j.iwarp.memory.Cut;
import org.rdma4j.iwarp.mpa.CrcRule;
import org.rdma4j.iwarp.mpa.MpaSettings;
import org.rdma4j.iwarp.wire.EnhancedData;
import org.rdma4j.iwarp.wire.MpaFrame;
import org.rdma4j.iwarp.wire.TerminateCode;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WrOpcode;

/** One bit of the stream is wrong: with CRCs that is found, told, and nothing from there on is placed. */
class FlippedBitTest {

    private static final int WRITES = 40;
    private static final int WRITE = 2000;
    private static final int REQUEST = MpaFrame.LENGTH + EnhancedData.LENGTH;
    private static final int STREAM = 40_000;

    @Property(tries = 150)
    void isFoundAndNothingIsPlaced(@ForAll long seed) {
        try (World world = new World(seed)) {
            boolean markers = world.random.nextBoolean();
            MpaSettings settings =
                    MpaSettings.defaults().withCrc(true, CrcRule.RFC).withMarkers(markers, true);
            int at = REQUEST + world.random.nextInt(STREAM);
            world.left.withFlippedBit(at * 8L + world.random.nextInt(8));
            world.withCut(Cut.random(world.random));
            world.here.withQp(world.here.attributes().withDepths(WRITES, 1));
            world.there.withQp();
            MemoryRegion source = world.here.register(WRITES * WRITE);
            byte[] content = new byte[WRITES * WRITE];
            world.random.nextBytes(content);
            MemorySegment.copy(content, 0, source.memory(), ValueLayout.JAVA_BYTE, 0, content.length);
            MemoryRegion target = world.there.register(
                    Arena.ofAuto().allocate(WRITES * WRITE), AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
            world.connect(settings, settings);
            for (int write = 0; write < WRITES; write++) {
                world.here.qp.postSend(new SendWorkRequest()
                        .reset(WrOpcode.RDMA_WRITE)
                        .sge(source, (long) write * WRITE, WRITE)
                        .remote(target.address() + (long) write * WRITE, target.rKey()));
            }
            world.until(() -> !world.there.ends.isEmpty());
            ConnectionEnd end = world.there.ends.getFirst();
            assertEquals(ConnectionEnd.Reason.TERMINATED, end.reason());
            assertTrue(
                    end.terminate() == TerminateCode.MPA_CRC || markers && end.terminate() == TerminateCode.MPA_MARKER,
                    () -> "told as " + end.terminate());
            byte[] placed = target.memory().toArray(ValueLayout.JAVA_BYTE);
            int good = Arrays.mismatch(placed, content);
            // What was placed is a beginning of what was sent that ends before the damage.
            assertArrayEquals(new byte[content.length - good], Arrays.copyOfRange(placed, good, placed.length));
            assertTrue(good <= at - REQUEST, () -> good + " bytes are placed, byte " + (at - REQUEST) + " is damaged");
        }
    }
}
