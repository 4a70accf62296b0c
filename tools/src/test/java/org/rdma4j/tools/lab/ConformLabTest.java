package org.rdma4j.tools.lab;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code rdma4j conform} against the kernel's rxe: the profile that is committed is what it finds. */
@LabTest
class ConformLabTest {

    @Test
    void rxeBehavesAsItsProfileSays(Lab lab, @TempDir Path folder) throws IOException {
        ConformRun.holds(lab, "rxe", Lab.guestAddress(1), folder, "--frames", "br0");
    }
}
