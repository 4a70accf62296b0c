package org.rdma4j.tools.lab;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code rdma4j conform} against the kernel's siw: the profile that is committed is what it finds. It has a guest for itself:
 * siw does not bear well what some of the checks do to it.
 */
@LabTest(guests = 3)
class ConformSiwLabTest {

    @Test
    void siwBehavesAsItsProfileSays(Lab lab, @TempDir Path folder) throws IOException {
        ConformRun.holds(lab, "siw", Lab.siwAddress(3), folder);
    }
}
