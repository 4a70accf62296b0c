package org.rdma4j.verbs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.rdma4j.link.FrameTap;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkCounters;
import org.rdma4j.link.Port;
import org.rdma4j.trace.Rule;
import org.rdma4j.trace.Tracer;
import org.rdma4j.transport.AsyncEventListener;
import org.rdma4j.transport.Engine;
import org.rdma4j.transport.EngineProvider;
import org.rdma4j.transport.IbEngine;
import org.rdma4j.transport.Qp;
import org.rdma4j.wire.Gid;

/**
 * An open device ({@code struct ibv_context}) with its one port.
 *
 * <pre>{@code
 * try (DeviceContext device = DeviceContext.open("roce2:127.0.0.1")) { … }
 * }</pre>
 */
public final class DeviceContext implements AutoCloseable {

    private static final long FIRST_SYNTHETIC_ADDRESS = 0x4000_0000_0000_0000L;
    private static final int PAGE = 4096;
    private static final int MAX_MTU = 4096;
    private static final int PORT = 1;

    private final Port port;
    private final Engine engine;
    private final DeviceAttributes limits;
    private final Driver driver;
    private final PortWatch portWatch;
    private final DeviceOptions options;
    private final PkeyTable pkeys;
    private final long wallclockOffset;
    private final Object serviceLock = new Object();
    private final AtomicInteger nextPd = new AtomicInteger(1);
    private final AtomicLong nextAddress = new AtomicLong(FIRST_SYNTHETIC_ADDRESS);
    private final Map<Qp, QueuePair> queuePairs = new ConcurrentHashMap<>();
    private final LinkedBlockingQueue<AsyncEvent> events = new LinkedBlockingQueue<>();

    private DeviceContext(Function<AsyncEventListener, Engine> make, DeviceOptions options) {
        this.options = options;
        this.pkeys = new PkeyTable(options.pkeys());
        this.engine = make.apply(new Events());
        this.port = engine.port();
        this.limits = DeviceAttributes.of(engine.abilities());
        tellPkeys();
        this.wallclockOffset = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) - now();
        this.driver = new Driver(engine, options.clock(), options.progress(), this::failed);
        this.portWatch = new PortWatch(port, now(), type -> raise(AsyncEvent.of(type)));
    }

    private final class Events implements AsyncEventListener {
        @Override
        public void onEvent(Qp qp, Event event) {
            raise(AsyncEvent.of(AsyncEventType.of(event.number()), queuePairs.get(qp)));
        }
    }

    /**
     * Opens a device ({@code ibv_open_device}) with a thread of its own.
     *
     * @param name family and address: {@code roce2:10.0.0.1}, {@code loop:a}
     * @throws org.rdma4j.link.LinkException with a message for the user
     */
    public static DeviceContext open(String name) {
        return open(name, DeviceOptions.defaults());
    }

    /** Opens a device. */
    public static DeviceContext open(String name, DeviceOptions options) {
        return new DeviceContext(listener -> Devices.open(name, options, listener), options);
    }

    /** Opens a device on a link that the caller made; closing the device closes it. */
    public static DeviceContext on(Link link, DeviceOptions options) {
        Link wrapped = options.around().apply(link);
        return new DeviceContext(listener -> Devices.on(wrapped, options, listener), options);
    }

    /** Opens a device of a family that the caller brings. */
    @SuppressWarnings("exports") // who can make one can see what it is
    public static DeviceContext on(EngineProvider provider, String address, DeviceOptions options) {
        return new DeviceContext(
                listener -> provider.open(address, options.link(), options.random(), listener), options);
    }

    /** Names of the devices that could be opened here now ({@code ibv_get_device_list}). */
    public static List<String> list() {
        return Devices.list();
    }

    public String name() {
        return port.name();
    }

    // Queries.

    public DeviceAttributes queryDevice() {
        return limits;
    }

    /** What its transport is called: {@code InfiniBand}, {@code iWARP}. */
    public String transport() {
        return engine.abilities().transport();
    }

    /** Who made it, and which one it is. */
    public DeviceIdentity identity() {
        return DeviceIdentity.of(nodeGuid());
    }

    public PortAttributes queryPort() {
        boolean isUp = port.isUp();
        return new PortAttributes(
                isUp ? PortState.ACTIVE : PortState.DOWN,
                isUp ? PhysicalState.LINK_UP : PhysicalState.DISABLED,
                engine.abilities().streams() ? LinkLayer.ETHERNET : LinkLayer.under(port.gidType()),
                engine.abilities().streams() ? Set.of() : PortCapability.ROCE,
                SubnetAttributes.NONE,
                MAX_MTU,
                port.maxPathMtu(),
                port.interfaceMtu(),
                limits.maxMessageSize(),
                1,
                saturated(decisions(Rule.PKEY_MISMATCH)),
                saturated(decisions(Rule.QKEY_MISMATCH)),
                gidTableLength(),
                pkeyTableLength());
    }

    /** The counters of PortInfo have 16 bits and stay at their end (14.2.5.6). */
    private static int saturated(long count) {
        return (int) Math.min(count, 0xFFFF);
    }

    /** The largest path MTU that the interface carries, bytes: without asking after the port's state. */
    public int maxPathMtu() {
        return port.maxPathMtu();
    }

    int gidTableLength() {
        return port.gids().size();
    }

    public Gid queryGid(int index) {
        List<Gid> gids = port.gids();
        if (index < 0 || index >= gids.size()) {
            throw VerbsException.invalid("GID index %d is outside of the table's %d entries", index, gids.size());
        }
        return gids.get(index);
    }

    /** The GID table ({@code ibv_query_gid_table}), in the order of its indices. */
    public List<GidEntry> queryGidTable() {
        return IntStream.range(0, port.gids().size())
                .mapToObj(index -> new GidEntry(queryGid(index), index, PORT, port.gidType()))
                .toList();
    }

    /** The device's 64-bit name ({@code ibv_get_device_guid}); the same on every run, distinct for each first GID. */
    public long nodeGuid() {
        return NodeGuid.of(queryGid(0));
    }

    /**
     * Where a P_Key stands in the table ({@code ibv_get_pkey_index}).
     *
     * @throws VerbsException EINVAL where it is not there
     */
    public int pkeyIndex(int pkey) {
        return pkeys.indexOf(pkey);
    }

    /**
     * The entry of the P_Key table that packets with a key match: of the same partition, and at least one of the two a full
     * member (10.9.3).
     *
     * @return -1 where there is none
     */
    public int matchingPkeyIndex(int pkey) {
        return pkeys.indexMatching(pkey);
    }

    /** An entry of the P_Key table ({@code ibv_query_pkey}); bit 15 is set for a full member, all but it 0 in an empty one. */
    public int queryPkey(int index) {
        return pkeys.at(index);
    }

    int pkeyTableLength() {
        return pkeys.length();
    }

    /**
     * Changes an entry of the P_Key table, as a subnet manager does: the queue pairs that name the index are in the new
     * partition from now on, and PKEY_CHANGE is raised.
     *
     * @throws VerbsException EINVAL where there is no such index or key; EOPNOTSUPP where the device's family has no
     *     partitions
     */
    public void changePkey(int index, int pkey) {
        infiniband("partitions");
        control(() -> {
            pkeys.set(index, pkey);
            tellPkeys();
            queuePairs.values().forEach(queuePair -> queuePair.pkeyChanged(index));
        });
        raise(AsyncEvent.of(AsyncEventType.PKEY_CHANGE));
    }

    private void tellPkeys() {
        if (engine instanceof IbEngine ib) {
            ib.pKeys(pkeys.keys());
        }
    }

    /** Packets that got a decision, since the device was opened. */
    public long decisions(Rule rule) {
        long decisions = engine.decisions(rule);
        for (DeviceService service : driver.services()) {
            decisions += service.decisions(rule);
        }
        return decisions;
    }

    /** What the port has counted since the device was opened, under Linux' names. */
    public PortCounters counters() {
        return PortCounters.of(engine);
    }

    public LinkCounters linkCounters() {
        return port.counters();
    }

    /** Shows each frame to {@code tap} from now on; {@code null} ends it. */
    public void tap(FrameTap tap) {
        control(() -> port.tap(tap));
    }

    /** Tells {@code tracer} what the device does besides sending and receiving, from now on; {@code null} ends it. */
    public void trace(Tracer tracer) {
        control(() -> engine.trace(tracer));
    }

    // Objects.

    public ProtectionDomain allocPd() {
        return new ProtectionDomain(this, nextPd.getAndIncrement());
    }

    /** Opens an XRC domain of this process ({@code ibv_open_xrcd}). */
    public XrcDomain openXrcDomain() {
        return new XrcDomain(this, nextPd.getAndIncrement());
    }

    public CompletionChannel createCompletionChannel() {
        return new CompletionChannel(this);
    }

    /** Creates a completion queue that is polled only. */
    public CompletionQueue createCq(int entries) {
        return createCq(entries, null);
    }

    /**
     * Creates a completion queue.
     *
     * @param entries completions that may wait
     * @param channel where its events go, or {@code null}
     */
    public CompletionQueue createCq(int entries, CompletionChannel channel) {
        return createCq(CqInitAttributes.of(entries).withChannel(channel));
    }

    /** Creates a completion queue with more to it ({@code ibv_create_cq_ex}). */
    public CompletionQueue createCq(CqInitAttributes attributes) {
        CompletionQueue.checkEntries(attributes.entries());
        return new CompletionQueue(this, attributes);
    }

    /** The clock that completions are stamped by, ns ({@code ibv_query_rt_values_ex}). */
    public long rawClock() {
        return now();
    }

    /** When a stamp was made, ns since 1970 ({@code ibv_wc_read_completion_wallclock_ns}). */
    public long wallclock(long timestamp) {
        return timestamp + wallclockOffset;
    }

    /**
     * Waits for an asynchronous event ({@code ibv_get_async_event}). What becomes of the port is found out by whoever
     * waits here.
     *
     * @return {@code null} where the time is over
     */
    public AsyncEvent getAsyncEvent(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            portWatch.look(now());
            long left = deadline - System.nanoTime();
            AsyncEvent event = events.poll(Math.min(left, PortWatch.PERIOD), TimeUnit.NANOSECONDS);
            if (event != null || left <= PortWatch.PERIOD) {
                return event;
            }
        }
    }

    // Driving.

    /** {@link Progress#CALLER}: does what can be done now. @return false where nothing was there to do */
    public boolean progress() {
        return driver.progressByCaller();
    }

    /** Waits until something may have arrived, at most so long; for callers that drive the device themselves. */
    public void awaitWork(long nanos) {
        driver.awaitWork(nanos);
    }

    /**
     * The time at which {@link #progress} has something to do if nothing arrives and nothing is posted, by {@link #now};
     * {@link Long#MAX_VALUE}: never. For whoever drives the device in virtual time.
     */
    public long nextDeadline() {
        return driver.nextDeadline();
    }

    public Progress progressMode() {
        return options.progress();
    }

    boolean isCallerDriven() {
        return options.progress() == Progress.CALLER;
    }

    /** Runs a change with the engine and the services standing still; short, for nothing is sent meanwhile. */
    public void control(Runnable change) {
        driver.control(change);
    }

    /** The time that the device goes by, in nanoseconds. */
    public long now() {
        return options.clock().getAsLong();
    }

    /** A number from where this device takes what nobody shall guess. */
    public int random() {
        return options.random().getAsInt();
    }

    /** The device's one service of a kind, made where it is not there yet. */
    public <T extends DeviceService> T service(Class<T> kind, Function<DeviceContext, T> make) {
        synchronized (serviceLock) {
            for (DeviceService service : driver.services()) {
                if (kind.isInstance(service)) {
                    return kind.cast(service);
                }
            }
            T made = make.apply(this);
            driver.add(made);
            return made;
        }
    }

    /** No new queue pair gets this number until it is released: late packets to it may still come. */
    public void holdQpNum(int qpNum) {
        control(() ->
                infiniband("numbers of queue pairs that another side names").holdQpn(qpNum));
    }

    public void releaseQpNum(int qpNum) {
        control(() ->
                infiniband("numbers of queue pairs that another side names").releaseQpn(qpNum));
    }

    /**
     * What the device's family offers besides the verbs, such as how its connections are made.
     *
     * @return empty where the device is of another family
     */
    public <T> Optional<T> family(Class<T> kind) {
        return kind.isInstance(engine) ? Optional.of(kind.cast(engine)) : Optional.empty();
    }

    Engine engine() {
        return engine;
    }

    /**
     * The engine, where it is of the InfiniBand transport.
     *
     * @param wanted what only that has, for the message
     * @throws VerbsException EOPNOTSUPP where the device is of another family
     */
    IbEngine infiniband(String wanted) {
        if (engine instanceof IbEngine ib) {
            return ib;
        }
        throw VerbsException.unsupported(
                "%s has no %s: it is an %s device",
                name(), wanted, engine.abilities().transport());
    }

    Driver driver() {
        return driver;
    }

    private void failed() {
        raise(AsyncEvent.of(AsyncEventType.DEVICE_FATAL, (QueuePair) null));
    }

    void raise(AsyncEvent event) {
        for (DeviceService service : driver.services()) {
            if (service.takes(event)) {
                return;
            }
        }
        events.add(event);
    }

    void add(Qp qp, QueuePair queuePair) {
        queuePairs.put(qp, queuePair);
    }

    void remove(Qp qp) {
        queuePairs.remove(qp);
    }

    long syntheticAddress(long size) {
        return nextAddress.getAndAdd((size + 2L * PAGE - 1) & -PAGE);
    }

    /**
     * Closes the device: what was posted and can leave at once still leaves, its queue pairs are destroyed, its thread ends,
     * its address is free.
     */
    @Override
    public void close() {
        driver.stop();
        driver.sendWhatWasPosted();
        for (DeviceService service : driver.services()) {
            service.close();
        }
        for (QueuePair queuePair : new ArrayList<>(queuePairs.values())) {
            queuePair.detachAll();
            queuePair.close();
        }
        engine.trace(null);
        port.close();
    }
}
