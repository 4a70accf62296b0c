package org.rdma4j.tools.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.rdma4j.tools.CommandRun;

/** What the real {@code ibv_devinfo -v} tells of Linux' rxe, {@code device show} tells of a device of ours. */
@LabTest(guests = 1)
class DeviceLabTest {

    /** A name at the start of a line, and something behind it. */
    private static final Pattern LINE = Pattern.compile("(?m)^[\\t ]*([a-z][a-z0-9_]+):[\\t ]*");

    private static final int FEWEST = 60;

    @Test
    void showHasEachNameThatTheRealOneHas(Lab lab) {
        String real = lab.guest(1, "ibv_devinfo -v -d rxe0").succeeded().output();
        Set<String> theirs = names(real);
        assertTrue(theirs.size() >= FEWEST, real);
        Set<String> missing = new TreeSet<>(theirs);
        missing.removeAll(names(CommandRun.of("device", "show", "loop:devinfo").out()));
        missing.removeAll(Set.of("tso_caps", "rss_caps", "packet_pacing_caps")); // titles over what stands below them
        assertEquals(Set.of(), missing, real);
    }

    private static Set<String> names(String text) {
        return LINE.matcher(text)
                .results()
                .map((MatchResult line) -> line.group(1))
                .collect(Collectors.toSet());
    }
}
