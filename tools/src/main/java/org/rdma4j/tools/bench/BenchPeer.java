package org.rdma4j.tools.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.rdma4j.iwarp.IwarpListener;
import org.rdma4j.tools.Family;
import org.rdma4j.tools.IwarpWiring;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.wire.Gid;
import picocli.CommandLine;

/** The second process of {@link BenchCommand}: takes one order a line on stdin, answers with one line on stdout. */
@CommandLine.Command(name = "bench-peer", hidden = true, description = "The second process of bench.")
public final class BenchPeer implements Callable<Integer> {

    /** Receives that a SEND measurement keeps posted. */
    static final int RECEIVES = 1024;

    private final BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private final PrintStream answers = System.out;

    @Override
    public Integer call() throws IOException {
        for (String line = orders.readLine(); line != null; line = orders.readLine()) {
            String[] order = line.split(" ", -1);
            switch (order[0]) {
                case "sink" -> rawSink(Integer.parseInt(order[1]), Long.parseLong(order[2]));
                case "pong" -> rawPong();
                case "tcp-sink" -> tcpSink(Long.parseLong(order[1]));
                case "tcp-pong" -> tcpPong();
                case "serve" -> serve(order);
                case "serve-iwarp" -> serveIwarp(order);
                default -> throw new IllegalArgumentException("no such order: " + line);
            }
        }
        return 0;
    }

    private void rawSink(int size, long nanos) {
        try (RawSocket socket = new RawSocket(BenchCommand.THERE, BenchCommand.HERE, RawLimits.PORT)) {
            answer("ready");
            answer(Double.toString(RawLimits.count(socket, size, nanos)));
        }
    }

    private void rawPong() {
        try (RawSocket socket = new RawSocket(BenchCommand.THERE, BenchCommand.HERE, RawLimits.PORT)) {
            answer("ready");
            RawLimits.pong(socket);
        }
    }

    /** serve KIND MTU BYTES QPS: answers with address, key and numbers, reads the other end's, works until "stop". */
    private void serve(String[] order) throws IOException {
        String kind = order[1];
        int mtu = Integer.parseInt(order[2]);
        int bytes = Integer.parseInt(order[3]);
        int qps = Integer.parseInt(order[4]);
        try (RdmaEnd end = new RdmaEnd(Family.ROCE2, BenchCommand.THERE_NAME, Math.max(bytes * 2, 1 << 16), qps)) {
            answer(end.describe());
            Description peer = Description.parse(orders.readLine());
            end.connect(Gid.ofIpv4(BenchCommand.HERE), mtu, peer.qpns());
            work(kind, end, peer, bytes);
        }
    }

    /** serve-iwarp KIND CRC BYTES QPS: the same over TCP. */
    private void serveIwarp(String[] order) throws IOException {
        int bytes = Integer.parseInt(order[3]);
        int qps = Integer.parseInt(order[4]);
        try (RdmaEnd end = new RdmaEnd(Family.IWARP, BenchCommand.THERE_NAME, Math.max(bytes * 2, 1 << 16), qps)) {
            IwarpWiring wiring = end.wiring(Boolean.parseBoolean(order[2]));
            try (IwarpListener _ =
                    wiring.listen(new InetSocketAddress(BenchCommand.THERE_NAME, BenchCommand.IWARP_PORT))) {
                answer(end.describe());
                end.await(wiring);
            }
            Description peer = Description.parse(orders.readLine());
            work(order[1], end, peer, bytes);
        }
    }

    private void work(String kind, RdmaEnd end, Description peer, int bytes) throws IOException {
        if (kind.equals("send")) {
            postReceives(end, bytes);
        }
        answer("connected");
        switch (kind) {
            case "send" -> receiveUntilStopped(end, bytes);
            case "echo" -> new Echo(end, peer).answerUntilStopped();
            default -> progressUntilStopped(end);
        }
    }

    private void tcpSink(long nanos) {
        try (RawTcp socket = RawTcp.accept(BenchCommand.THERE_NAME, true, () -> answer("ready"))) {
            answer(Double.toString(socket.count(nanos)));
        }
    }

    private void tcpPong() {
        try (RawTcp socket = RawTcp.accept(BenchCommand.THERE_NAME, false, () -> answer("ready"))) {
            socket.pong();
        }
    }

    private boolean stopped() throws IOException {
        return orders.ready() && orders.readLine() != null;
    }

    private void progressUntilStopped(RdmaEnd end) throws IOException {
        long idleSince = System.nanoTime();
        while (true) {
            if (end.device.progress()) {
                idleSince = System.nanoTime();
            } else if (System.nanoTime() - idleSince > BenchCommand.IDLE_NANOS) {
                if (stopped()) {
                    return;
                }
                end.device.awaitWork(BenchCommand.IDLE_NANOS);
            }
        }
    }

    private static void postReceives(RdmaEnd end, int bytes) {
        ReceiveWorkRequest wr = new ReceiveWorkRequest();
        for (QueuePair queuePair : end.queuePairs) {
            for (int count = 0; count < RECEIVES; count++) {
                queuePair.postReceive(wr.reset(0).sge(end.region, 0, bytes));
            }
        }
    }

    private void receiveUntilStopped(RdmaEnd end, int bytes) throws IOException {
        WorkCompletion completion = new WorkCompletion();
        ReceiveWorkRequest wr = new ReceiveWorkRequest();
        QueuePair queuePair = end.queuePairs.getFirst();
        long idleSince = System.nanoTime();
        while (true) {
            if (end.cq.poll(completion)) {
                if (completion.isSuccess()) { // what is posted behind a flushed one is flushed too, without end
                    queuePair.postReceive(wr.reset(0).sge(end.region, 0, bytes));
                }
                idleSince = 0;
            } else if (idleSince == 0) {
                idleSince = System.nanoTime();
            } else if (System.nanoTime() - idleSince > BenchCommand.IDLE_NANOS) {
                if (stopped()) {
                    return;
                }
                end.device.awaitWork(BenchCommand.IDLE_NANOS);
            }
        }
    }

    private void answer(String line) {
        answers.println(line);
        answers.flush();
    }

    /** What one end tells the other. */
    record Description(long address, int rKey, List<Integer> qpns) {
        static Description parse(String line) {
            String[] words = line.split(" ", -1);
            List<Integer> qpns =
                    Arrays.stream(words).skip(2).map(Integer::valueOf).toList();
            return new Description(Long.parseLong(words[0]), Integer.parseInt(words[1]), qpns);
        }
    }
}
