package org.rdma4j.ibsim.door;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import org.rdma4j.ibsim.fabric.Fabric;
import org.rdma4j.ibsim.mad.Agents;
import org.rdma4j.ibsim.sa.SubnetAdministrator;
import org.rdma4j.ibsim.sm.SmOptions;
import org.rdma4j.ibsim.sm.SubnetManager;
import org.rdma4j.ibsim.topology.NetFile;

/** A fabric that is served by a thread of its own. */
final class Served implements AutoCloseable {

    /** Behind the numbers of the door's own programs. */
    private static final int MANAGER = 60_000;

    private final Fabric fabric = new Fabric(1);
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final Agents agents;
    private final Door door;
    private final Thread thread;

    Served(String topology) throws IOException {
        NetFile.read(topology.lines().toList(), fabric);
        agents = new Agents(fabric);
        door = new Door(fabric, agents, InetAddress.getLoopbackAddress(), freePort(), log::add);
        thread = Thread.ofPlatform().daemon().start(() -> {
            try {
                door.serve();
            } catch (IOException e) {
                log.add(e.toString());
            }
        });
    }

    /** One with free ones behind it. */
    static int freePort() throws IOException {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort() > 65_000 ? freePort() : socket.getLocalPort();
        }
    }

    int port() {
        return door.port();
    }

    Fabric fabric() {
        return fabric;
    }

    List<String> log() {
        return log;
    }

    /** Starts a subnet manager of our own at a host. */
    SubnetManager startManager(String host, SmOptions options) throws InterruptedException {
        return call(() -> {
            SubnetManager manager =
                    new SubnetManager(agents, MANAGER, fabric.node(host).port(1), options);
            SubnetAdministrator.of(manager);
            manager.start();
            return manager;
        });
    }

    void sendGarbage() throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            byte[] garbage = "GET / HTTP/1.1".getBytes(StandardCharsets.US_ASCII);
            socket.send(new DatagramPacket(garbage, garbage.length, InetAddress.getLoopbackAddress(), door.port()));
        }
    }

    /** Runs something on the fabric's thread. */
    <T> T call(Callable<T> what) throws InterruptedException {
        CompletableFuture<T> result = new CompletableFuture<>();
        door.run(() -> {
            try {
                result.complete(what.call());
            } catch (Throwable e) { // an assertion too: the thread that waits throws it
                result.completeExceptionally(e);
            }
        });
        try {
            return result.get();
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }

    void await(BooleanSupplier condition, Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (!call(condition::getAsBoolean)) {
            if (System.nanoTime() > end) {
                throw new AssertionError("not within " + limit + "; the door says " + log);
            }
            Thread.sleep(50);
        }
    }

    @Override
    public void close() throws IOException {
        door.stop();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        door.close();
    }
}
