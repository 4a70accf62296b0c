package org.rdma4j.tools;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A server and a client of ours in this process, on loopback devices that no other run uses.
 *
 * @param server how the server ended
 * @param client how the client ended
 */
public record TwoEnds(CommandRun server, CommandRun client) {

    private static final long LIMIT_SECONDS = 60;

    /** All of 127.0.0.0/8 is this host; each process takes a corner of its own. */
    private static final long CORNER = ProcessHandle.current().pid();

    /** The device on 127.x.y.{@code last}. */
    public static String device(int last) {
        return "roce2:127." + (CORNER >>> 8 & 0x7F) + "." + (CORNER & 0xFF) + "." + last;
    }

    /** A TCP port that was free a moment ago. */
    public static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Runs {@code command} with these options at both ends. */
    public static TwoEnds run(String command, String options) {
        return run(command, options, options);
    }

    /** Runs {@code command} at both ends, each with options of its own. */
    public static TwoEnds run(String command, String serverOptions, String clientOptions) {
        int port = freePort();
        Server server = Server.start(command + " -d " + device(1) + " -p " + port + " " + serverOptions);
        CommandRun client =
                CommandRun.of(words(command + " -d " + device(2) + " -p " + port + " " + clientOptions + " 127.0.0.1"));
        return new TwoEnds(server.end(), client);
    }

    static String[] words(String line) {
        return line.strip().split(" +");
    }

    /** Both, if both ended with status 0. */
    public TwoEnds succeeded() {
        if (server.status() != ExitStatus.SUCCESS || client.status() != ExitStatus.SUCCESS) {
            throw new AssertionError(this);
        }
        return this;
    }

    /** A server that runs in a thread of its own. */
    public static final class Server {

        /** What each server says once it listens. */
        private static final List<String> READY =
                List.of("Waiting for client", "local address", "listening at", "starting server");

        private final StringWriter out = new StringWriter();
        private final StringWriter err = new StringWriter();
        private final CompletableFuture<Integer> status = new CompletableFuture<>();

        /** Starts it and waits until it listens, or has ended. */
        public static Server start(String line) {
            Server server = new Server();
            Thread.ofPlatform().daemon().start(() -> server.run(words(line)));
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
            while (!server.isReady() && System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            return server;
        }

        private void run(String[] arguments) {
            try {
                status.complete(Main.commandLine()
                        .setOut(new PrintWriter(out))
                        .setErr(new PrintWriter(err))
                        .execute(arguments));
            } catch (Throwable e) {
                status.completeExceptionally(e);
            }
        }

        private boolean isReady() {
            return status.isDone() || READY.stream().anyMatch(out.toString()::contains);
        }

        /** Waits for its end. */
        public CommandRun end() {
            Integer result = status.orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join();
            return new CommandRun(result, out.toString(), err.toString());
        }
    }
}
