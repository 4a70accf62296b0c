package org.rdma4j.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabCommandTest {

    private final String home = System.getProperty("rdma4j.home");

    @TempDir
    private Path checkout;

    @AfterEach
    void restoreHome() {
        if (home == null) {
            System.clearProperty("rdma4j.home");
        } else {
            System.setProperty("rdma4j.home", home);
        }
    }

    @Test
    void handsArgumentsAndStatusThroughAsTheyAre() throws IOException {
        Path said = checkout.resolve("said");
        script("printf '%s\\n' \"$@\" >" + said + "; exit 7");
        System.setProperty("rdma4j.home", checkout.toString());
        assertEquals(7, Main.commandLine().execute("lab", "run", "1", "ls", "-l", "--help", "a b", "@x"));
        assertEquals(List.of("run", "1", "ls", "-l", "--help", "a b", "@x"), Files.readAllLines(said));
    }

    @Test
    void saysWhatIsMissingOutsideOfCheckout() {
        System.clearProperty("rdma4j.home");
        StringWriter err = new StringWriter();
        assertEquals(
                ExitStatus.MISSING,
                Main.commandLine().setErr(new PrintWriter(err)).execute("lab", "check"));
        assertTrue(err.toString().startsWith("rdma4j lab: "), err.toString());
    }

    private void script(String body) throws IOException {
        Path script = checkout.resolve("tools/lab/lab");
        Files.createDirectories(script.getParent());
        Files.writeString(script, "#!/bin/sh\n" + body + "\n");
        assertTrue(script.toFile().setExecutable(true));
    }
}
