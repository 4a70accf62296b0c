package org.rdma4j.tools.bench;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rdma4j.tools.CommandRun;
import org.rdma4j.tools.ExitStatus;

/** The capture that decode is measured on is a sane one, and the same in every run. */
class SampleCaptureTest {

    private static final long SIZE = 1 << 20;

    @TempDir
    private Path folder;

    @Test
    void hasTheSameBytesInEveryRun() throws IOException {
        Path one = folder.resolve("one.pcapng");
        Path other = folder.resolve("other.pcapng");
        assertEquals(SampleCapture.write(one, SIZE), SampleCapture.write(other, SIZE));
        assertArrayEquals(Files.readAllBytes(one), Files.readAllBytes(other));
        assertTrue(Files.size(one) > SIZE);
    }

    @Test
    void holdsWholeConversationsInWhichNothingGoesWrong() throws IOException {
        Path file = folder.resolve("sample.pcapng");
        long frames = SampleCapture.write(file, SIZE);
        CommandRun run = CommandRun.of("decode", "--findings", file.toString());
        assertEquals(ExitStatus.SUCCESS, run.status(), run.err());
        assertEquals(frames + " RoCE packets, every ICRC right\n", run.out());
    }
}
