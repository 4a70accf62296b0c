package org.rdma4j.tools.lab;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a {@link LabTest} has in its hands: guests with rxe (10.77.0.0/24) and siw (10.78.0.0/24), and this host's side of the same
 * networks. A call that waits gives the command one minute unless it is told otherwise. What is still running when the test method
 * ends is ended.
 */
public final class Lab implements AutoCloseable {

    /** This host's addresses on the rxe network. */
    public static final String HOST = "10.77.0.1";

    public static final String HOST_IPV6 = "fd77::1";

    /** This host's address on the siw network. */
    public static final String SIW_HOST = "10.78.0.1";

    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** A command in a guest that no test waits for ends by itself after this. */
    private static final Map<String, String> GUEST_LIMIT = Map.of("LAB_TIMEOUT", "900");

    private final List<AutoCloseable> open = new ArrayList<>();

    Lab() {}

    /** The address of a guest's rxe0. */
    public static String guestAddress(int guest) {
        return "10.77.0." + (guest + 1);
    }

    public static String guestAddressIpv6(int guest) {
        return "fd77::" + (guest + 1);
    }

    /** The address of a guest's siw0. */
    public static String siwAddress(int guest) {
        return "10.78.0." + (guest + 1);
    }

    /** Runs a shell snippet in a guest and waits for its end. */
    public LabResult guest(int guest, String command) {
        return startInGuest(guest, command).await(MINUTE);
    }

    /** Starts a shell snippet in a guest: a server, say. */
    public LabProcess startInGuest(int guest, String command) {
        return track(LabSession.start(List.of("run", Integer.toString(guest), command), GUEST_LIMIT));
    }

    /**
     * Waits until a server in a guest listens on a TCP port. What a program prints is no sign: its output to anything but a terminal
     * comes when its buffer is full.
     */
    public void awaitPort(int guest, int port) {
        guest(guest, listening(port)).succeeded();
    }

    /** Waits until a server in a guest listens on a port of rdma_cm. */
    public void awaitCmPort(int guest, int port) {
        guest(guest, "until rdma resource show cm_id | grep -q 'state LISTEN.*:" + port + " '; do sleep 0.1; done")
                .succeeded();
    }

    /** Waits until a server on this host, inside the lab's network namespace, listens on a TCP port. */
    public void awaitHostPort(int port) {
        host("sh", "-c", listening(port)).succeeded();
    }

    /** In /proc/net/tcp the second column is the local address and port in hexadecimal, state 0A is LISTEN. */
    private static String listening(int port) {
        return "until grep -qi ':%04x [0-9a-f]*:0000 0a ' /proc/net/tcp /proc/net/tcp6; do sleep 0.1; done"
                .formatted(port);
    }

    /** Runs a command on this host, inside the lab's network namespace, and waits for its end. */
    public LabResult host(String... command) {
        return startOnHost(command).await(MINUTE);
    }

    public LabProcess startOnHost(String... command) {
        return track(LabSession.start(
                Stream.concat(Stream.of("host"), Stream.of(command)).toList(), Map.of()));
    }

    /** Runs {@code rdma4j ARGUMENTS} inside the lab's network namespace and waits for its end. */
    public LabResult rdma4j(String... arguments) {
        return startRdma4j(arguments).await(MINUTE);
    }

    /** Starts {@code rdma4j ARGUMENTS}: the classes of this build, as modules, with the launcher's options. */
    public LabProcess startRdma4j(String... arguments) {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", // these processes live for a second or two
                "-XX:+UseSerialGC",
                "-p",
                modulePath(),
                "--enable-native-access=org.rdma4j.stack,org.rdma4j.rocev2",
                "-m",
                "org.rdma4j.tools/org.rdma4j.tools.Main"));
        line.addAll(List.of(arguments));
        return startOnHost(line.toArray(String[]::new));
    }

    /** Everything that this guest sends on its rxe card passes {@code tc ... netem SPEC} until the result is closed. */
    public Netem netem(int guest, String spec) {
        return netem(guest, "rxe", spec);
    }

    /** The same for its siw card. */
    public Netem netemSiw(int guest, String spec) {
        return netem(guest, "siw", spec);
    }

    private Netem netem(int guest, String card, String spec) {
        LabSession.start("netem", Integer.toString(guest), card, spec)
                .await(MINUTE)
                .succeeded();
        Netem netem = () -> LabSession.start("netem", Integer.toString(guest), card, "off")
                .await(MINUTE)
                .succeeded();
        open.add(netem);
        return netem;
    }

    /** A disturbance that is on; closing it (twice is fine) ends it. */
    public interface Netem extends AutoCloseable {
        @Override
        void close();
    }

    @Override
    public void close() {
        AssertionError trouble = null;
        for (AutoCloseable resource : open.reversed()) {
            try {
                resource.close();
            } catch (Exception | AssertionError e) {
                trouble = trouble == null ? new AssertionError("cannot clean up the lab", e) : trouble;
            }
        }
        open.clear();
        if (trouble != null) {
            throw trouble;
        }
    }

    private LabProcess track(LabProcess process) {
        open.add(process);
        return process;
    }

    /** The test class path without the tests and what only they use. */
    private static String modulePath() {
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Stream.of(path.split(File.pathSeparator))
                .filter(entry ->
                        !entry.endsWith("test-classes") && !entry.contains("junit") && !entry.contains("jqwik"))
                .collect(Collectors.joining(File.pathSeparator));
    }
}
