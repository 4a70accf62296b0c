package org.rdma4j.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rdma4j.rocev2.syscall.LibC;
import org.rdma4j.verbs.DeviceContext;

/** What the README shows can be done. */
class ReadmeTest {

    private static final Path README = Path.of("..", "README.md");
    private static final Pattern JAVA = Pattern.compile("```java\\R(.*?)```", Pattern.DOTALL);
    private static final Pattern COMMAND =
            Pattern.compile("java -p \\S+ (--add-modules.*?) Write\\.java", Pattern.DOTALL);

    /** All of 127.0.0.0/8 is this host; each process takes a corner of its own, so that runs do not meet. */
    private static final long CORNER = ProcessHandle.current().pid();

    @TempDir
    private Path folder;

    @Test
    void theProgramIsShortAndRunsByTheCommandBesideIt() throws IOException, InterruptedException, URISyntaxException {
        String readme = Files.readString(README);
        String program = find(JAVA, readme);
        assertTrue(program.lines().count() <= 30, () -> program.lines().count() + " lines");
        Path source = folder.resolve("Write.java");
        String corner = "roce2:127." + (CORNER >>> 8 & 0x7F) + "." + (CORNER & 0xFF) + ".20";
        Files.writeString(source, program.replace("roce2:127.0.0.", corner));
        assertEquals(2, program.split("roce2:127\\.0\\.0\\.", -1).length - 1);

        List<String> options = Arrays.stream(find(COMMAND, readme).split("[\\s\\\\]+"))
                .filter(option -> !option.isEmpty())
                .collect(Collectors.toList());
        options.addAll(
                0,
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-p", modules()));
        options.add(source.toString());
        Process process = new ProcessBuilder(options).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), said);
        assertTrue(
                said.matches("completion wr_id=0 status=SUCCESS opcode=RDMA_WRITE byte_len=1048576 .*, same: true\\R"),
                said);
    }

    private static String find(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertTrue(matcher.find(), pattern::pattern);
        return matcher.group(1);
    }

    private static String modules() throws URISyntaxException {
        return placeOf(DeviceContext.class) + File.pathSeparator + placeOf(LibC.class);
    }

    private static Path placeOf(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    @Test
    void everyFileThatItLinksToIsThere() throws IOException {
        Matcher links = Pattern.compile("\\]\\(([^)#:]+)\\)").matcher(Files.readString(README));
        int count = 0;
        while (links.find()) {
            count++;
            assertTrue(Files.exists(README.resolveSibling(links.group(1))), links.group(1));
        }
        assertTrue(count > 3);
    }
}
