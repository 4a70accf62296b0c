package org.rdma4j.rocev2.packet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A network namespace for a test: a thread that has one of its own runs it, and what it opens and starts lives there. It
 * is gone with the thread and its sockets. Where no namespace can be made the test is skipped with the reason, but fails
 * where {@code RDMA4J_LAB=required}, as in CI.
 */
public final class Namespace {

    private static final int CLONE_NEWNET = 0x4000_0000;

    /** Something that may fail in any way. */
    @FunctionalInterface
    public interface Body {
        void run() throws Throwable;
    }

    private Namespace() {}

    /** Runs {@code body} with two interfaces, va and vb, on either end of a cable. */
    public static void withVethPair(int mtu, Body body) throws Throwable {
        inside(() -> {
            ip("link set lo up");
            ip("link add name va mtu " + mtu + " address 52:54:00:00:00:01 type veth peer name vb mtu " + mtu
                    + " address 52:54:00:00:00:02");
            ip("link set va up");
            ip("link set vb up");
            body.run();
        });
    }

    /** Runs {@code body} with nothing but a loopback interface that is down. */
    public static void inside(Body body) throws Throwable {
        Throwable[] failure = new Throwable[1];
        Thread thread = Thread.ofPlatform().start(() -> {
            try {
                int error = unshare();
                String reason = "no network namespace can be made here (error " + error + "): that needs root";
                if ("required".equals(System.getenv("RDMA4J_LAB"))) {
                    assertEquals(0, error, reason);
                }
                assumeTrue(error == 0, reason);
                assumeTrue(!"off".equals(System.getenv("RDMA4J_LAB")), "RDMA4J_LAB=off");
                body.run();
            } catch (Throwable e) {
                failure[0] = e;
            }
        });
        thread.join();
        if (failure[0] != null) {
            throw failure[0];
        }
    }

    /** Gives this thread, and the threads and processes that it starts, a network of its own. */
    @SuppressWarnings("restricted")
    private static int unshare() throws Throwable {
        Linker linker = Linker.nativeLinker();
        MethodHandle unshare = linker.downcallHandle(
                linker.defaultLookup().find("unshare").orElseThrow(),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT),
                Linker.Option.captureCallState("errno"));
        try (Arena arena = Arena.ofConfined()) {
            var state = arena.allocate(Linker.Option.captureStateLayout());
            int result = (int) unshare.invokeExact(state, CLONE_NEWNET);
            return result == 0 ? 0 : state.get(ValueLayout.JAVA_INT, 0);
        }
    }

    /** {@code ip} with the words of {@code arguments}. */
    public static void ip(String arguments) throws IOException, InterruptedException {
        Path ip = Files.exists(Path.of("/usr/sbin/ip")) ? Path.of("/usr/sbin/ip") : Path.of("/sbin/ip");
        Process process = new ProcessBuilder((ip + " " + arguments).split(" "))
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(10, TimeUnit.SECONDS), "no end: ip " + arguments);
        assertEquals(0, process.exitValue(), "ip " + arguments + ": " + output);
    }
}
