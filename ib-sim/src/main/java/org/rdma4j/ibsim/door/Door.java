package org.rdma4j.ibsim.door;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.rdma4j.ibsim.fabric.ChannelAdapter;
import org.rdma4j.ibsim.fabric.Directory;
import org.rdma4j.ibsim.fabric.Fabric;
import org.rdma4j.ibsim.fabric.Node;
import org.rdma4j.ibsim.fabric.Port;
import org.rdma4j.ibsim.fabric.TopologyException;
import org.rdma4j.ibsim.mad.Agents;
import org.rdma4j.ibsim.mad.Mad;
import org.rdma4j.ibsim.time.EventQueue;

/**
 * Serves programs that talk to a simulator by {@code libumad2sim.so}, over UDP as {@code ibsim -r} does: one port for control,
 * one for the datagrams of each program behind it. The fabric's time goes on with the wall's, and runs ahead of it while
 * something is on its way, so that no program waits for a simulated nanosecond.
 */
public final class Door implements AutoCloseable {

    /** Where a program looks for it if not told otherwise. */
    public static final int DEFAULT_PORT = 7070;

    /** Programs at a time. */
    private static final int MOST_CLIENTS = 32;

    /** Numbers of programs at the agents; what is above is for programs within. */
    private static final int MOST_OWNERS = 50_000;

    /** What comes no later than that after what just happened happens at once, ps. */
    private static final long SOON = 1_000_000_000;

    private static final long LONGEST_WAIT_MILLIS = 1000;
    private static final int LARGEST_DATAGRAM = 2048;
    private static final int HARDWARE_VERSION = 0xA1;
    private static final int PKEYS_TOLD = 32;

    private final Fabric fabric;
    private final Agents agents;
    private final Consumer<String> log;
    private final Selector selector;
    private final DatagramChannel control;
    private final InetAddress address;
    private final int port;
    private final Map<Integer, DoorClient> clients = new TreeMap<>();
    private final ConcurrentLinkedQueue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final long start = System.nanoTime();
    private int owners;
    private long ahead;
    private volatile boolean stopped;

    /**
     * Opens it.
     *
     * @param port of UDP, 0 for any with enough free ones behind it
     * @param log takes a line for each thing that a user should know
     * @throws IOException where the port cannot be had
     */
    public Door(Fabric fabric, Agents agents, InetAddress address, int port, Consumer<String> log) throws IOException {
        this.fabric = fabric;
        this.agents = agents;
        this.address = address;
        this.log = log;
        selector = Selector.open();
        control = open(port);
        this.port = ((InetSocketAddress) control.getLocalAddress()).getPort();
    }

    private DatagramChannel open(int number) throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        try {
            channel.bind(new InetSocketAddress(address, number));
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        return channel;
    }

    /** The UDP port of its control messages. */
    public int port() {
        return port;
    }

    /** Runs something between two events of the fabric; any thread. */
    public void run(Runnable command) {
        commands.add(command);
        selector.wakeup();
    }

    /** Ends {@link #serve}; any thread. */
    public void stop() {
        stopped = true;
        selector.wakeup();
    }

    /** Serves until it is stopped. */
    public void serve() throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(LARGEST_DATAGRAM);
        while (!stopped) {
            selector.select(waitMillis());
            selector.selectedKeys().clear();
            for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
                command.run();
            }
            boolean took = true;
            while (took) {
                took = takeControl(buffer);
                took |= takeData(buffer);
                goOn();
            }
        }
    }

    // Time.

    private long wall() {
        return (System.nanoTime() - start) * EventQueue.NANOSECOND + ahead;
    }

    private void goOn() {
        EventQueue events = fabric.events();
        events.runUntil(Math.max(events.now(), wall()));
        while (events.next() - events.now() <= SOON) {
            events.step();
        }
        ahead += Math.max(0, events.now() - wall());
    }

    private long waitMillis() {
        long next = fabric.events().next();
        if (next == Long.MAX_VALUE) {
            return LONGEST_WAIT_MILLIS;
        }
        long millis = (next - wall()) / (EventQueue.NANOSECOND * 1_000_000);
        return Math.clamp(millis, 1, LONGEST_WAIT_MILLIS);
    }

    // Control.

    private boolean takeControl(ByteBuffer buffer) throws IOException {
        buffer.clear();
        InetSocketAddress from = (InetSocketAddress) control.receive(buffer);
        if (from == null) {
            return false;
        }
        buffer.flip();
        if (!ControlMessage.isOne(buffer)) {
            log.accept("a datagram of " + buffer.remaining() + " bytes from " + from + " is no control message");
            return true;
        }
        ByteBuffer message = ByteBuffer.allocate(ControlMessage.LENGTH);
        message.put(buffer.limit(Math.min(buffer.limit(), ControlMessage.LENGTH)));
        control.send(answer(new ControlMessage(message), from).bytes(), from);
        return true;
    }

    private ControlMessage answer(ControlMessage message, InetSocketAddress from) throws IOException {
        if (message.type() == ControlMessage.CONNECT) {
            return connect(message, from);
        }
        DoorClient client = clients.get(message.client());
        if (client == null) {
            log.accept("program " + message.client() + " at " + from + " is not connected");
            return message.answer(ControlMessage.ERROR, message.client());
        }
        switch (message.type()) {
            case ControlMessage.DISCONNECT -> {
                agents.detach(client.owner());
                clients.remove(message.client()).channel().close();
            }
            case ControlMessage.SET_ISSM -> {
                client.setManager(message.data8(0) != 0);
                agents.refreshManager(client.owner());
            }
            default -> {
                byte[] data = told(message, client.port());
                if (data == null) {
                    log.accept("program " + message.client() + " sends a control message of type " + message.type()
                            + ", which there is not");
                    return message.answer(ControlMessage.ERROR, message.client());
                }
                return message.data(data);
            }
        }
        return message;
    }

    /** What a program is told about its port; {@code null} where it asks for nothing that there is. */
    private byte[] told(ControlMessage question, Port at) {
        byte[] data = new byte[ControlMessage.DATA_ROOM];
        ByteBuffer host = ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer network = ByteBuffer.wrap(data);
        switch (question.type()) {
            case ControlMessage.GET_PORT ->
                host.putShort((short) at.settings().lid()).put((byte) at.state().number());
            case ControlMessage.GET_VENDOR -> host.putInt(8, HARDWARE_VERSION).putLong(16, 1);
            case ControlMessage.GET_GID ->
                network.putLong(Directory.DEFAULT_PREFIX).putLong(at.guid());
            case ControlMessage.GET_GUID -> network.putLong(at.guid());
            case ControlMessage.GET_NODE_INFO ->
                network.put(agents.of(at.node()).nodeInfo(at.number()));
            case ControlMessage.GET_PORT_INFO ->
                network.put(agents.of(at.node()).portInfo(question.data8(0), at.number()));
            case ControlMessage.GET_PKEYS -> {
                for (int index = 0; index < PKEYS_TOLD; index++) {
                    network.putShort((short) at.settings().pKey(index));
                }
            }
            default -> {
                return null;
            }
        }
        return data;
    }

    private ControlMessage connect(ControlMessage message, InetSocketAddress from) throws IOException {
        String name = message.text(ControlMessage.NODE, ControlMessage.NODE_LENGTH);
        try {
            Port at = portOf(name);
            int index = freeIndex();
            DatagramChannel channel = open(port + 1 + index);
            int qpn = message.int32(ControlMessage.QPN);
            boolean manager = message.int32(ControlMessage.ISSM) != 0;
            InetSocketAddress data =
                    new InetSocketAddress(from.getAddress(), message.int32(ControlMessage.ID) & 0xFFFF);
            DoorClient client = new DoorClient(nextOwner(), channel, data, at, qpn, manager);
            clients.put(index, client);
            agents.attach(client.owner(), at, client);
            byte[] node = at.node().name().getBytes(StandardCharsets.UTF_8);
            byte[] info = new byte[ControlMessage.CONNECT_SIZE];
            ByteBuffer.wrap(info)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt(index)
                    .putInt(qpn)
                    .putInt(manager ? 1 : 0)
                    .put(node, 0, Math.min(node.length, ControlMessage.NODE_LENGTH - 1));
            return message.answer(ControlMessage.CONNECT, index).data(info);
        } catch (TopologyException e) {
            log.accept("a program at " + from + " cannot be connected: " + e.getMessage());
            return message.answer(ControlMessage.ERROR, 0);
        }
    }

    /** One that no program has, nor had a short while ago: an answer that comes late is not another's. */
    private int nextOwner() {
        owners = owners % MOST_OWNERS + 1;
        return owners;
    }

    private int freeIndex() {
        for (int index = 0; index < MOST_CLIENTS; index++) {
            if (!clients.containsKey(index)) {
                return index;
            }
        }
        throw new TopologyException(MOST_CLIENTS + " programs are connected, no more can be");
    }

    /** Where a program sits: at the node that it names, or at the first one; an adapter's first port, a switch's own. */
    private Port portOf(String name) {
        Node node = name.isEmpty() ? fabric.nodes().getFirst() : fabric.node(name);
        return node.port(node instanceof ChannelAdapter ? 1 : 0);
    }

    // Datagrams.

    private boolean takeData(ByteBuffer buffer) throws IOException {
        boolean took = false;
        for (Map.Entry<Integer, DoorClient> entry : clients.entrySet()) {
            buffer.clear();
            InetSocketAddress from =
                    (InetSocketAddress) entry.getValue().channel().receive(buffer);
            if (from == null) {
                continue;
            }
            took = true;
            buffer.flip();
            if (buffer.remaining() < DataMessage.LENGTH) {
                log.accept(
                        "a datagram of " + buffer.remaining() + " bytes from " + from + " is no management datagram");
            } else {
                Mad mad = DataMessage.read(buffer);
                agents.send(entry.getValue().owner(), mad, fabric.events().now());
            }
        }
        return took;
    }

    @Override
    public void close() throws IOException {
        for (DoorClient client : clients.values()) {
            client.channel().close();
        }
        control.close();
        selector.close();
    }
}
