package org.rdma4j.tools.conform;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Result;
import org.rdma4j.tools.conform.check.Verdict;

/**
 * What is known of a device: the verdict that each check has against it, and why where that is not PASS. A text resource
 * of the device's name; a line is {@code ID | VERDICT | what is observed | why}.
 */
public final class Profile {

    /**
     * One check's line.
     *
     * @param observed a part of the finding; empty where none is expected
     * @param why what the device does, for people
     */
    public record Line(Verdict verdict, String observed, String why) {}

    /** All profiles; of the hardware ones nothing but what others tell is known. */
    static final List<String> NAMES = List.of("ideal", "rxe", "siw", "connectx4", "connectx5", "ernic");

    private final Map<String, Line> lines = new LinkedHashMap<>();

    private Profile() {}

    /** The one of a device without known deviations. */
    public static Profile ideal() {
        return new Profile();
    }

    /** @throws ToolException where no profile has this name */
    public static Profile of(String name) {
        if (name.equals("ideal")) {
            return ideal();
        }
        Profile profile = new Profile();
        try (InputStream stream = Profile.class.getResourceAsStream(name + ".profile")) {
            if (stream == null) {
                throw new ToolException(
                        ExitStatus.USAGE,
                        "no profile is called \"" + name + "\": there are " + String.join(", ", NAMES));
            }
            BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
            reader.lines()
                    .filter(line -> !line.isBlank() && line.charAt(0) != '#')
                    .forEach(profile::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return profile;
    }

    private void add(String text) {
        String[] fields = text.split("\\|", -1);
        lines.put(
                fields[0].strip(), new Line(Verdict.valueOf(fields[1].strip()), fields[2].strip(), fields[3].strip()));
    }

    public Map<String, Line> lines() {
        return lines;
    }

    /** Why a check is not even run against this device: it would do it harm; {@code null} where it is run. */
    String spares(Check check) {
        Line line = lines.get(check.id());
        boolean harmful = line != null
                && line.verdict() == Verdict.NOT_APPLICABLE
                && !line.why().isEmpty();
        return harmful ? line.why() : null;
    }

    /** A failure that the device is known for is its deviation; and what is known is told with it. */
    public Result judge(Result result) {
        Line line = lines.get(result.check().id());
        if (line == null || line.why().isEmpty() || !result.reason().contains(line.observed())) {
            return result;
        }
        boolean known = result.verdict() == Verdict.FAIL && line.verdict() == Verdict.DEVIATION;
        if (known || result.verdict() == line.verdict()) {
            return result.with(line.verdict(), result.reason() + ". " + line.why());
        }
        return result;
    }
}
