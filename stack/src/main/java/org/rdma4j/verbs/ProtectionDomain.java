package org.rdma4j.verbs;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.memory.MemoryBlock;
import org.rdma4j.memory.Region;
import org.rdma4j.memory.Window;

/** A protection domain ({@code struct ibv_pd}): memory and queue pairs of one domain may be used together. */
public final class ProtectionDomain implements AutoCloseable {

    private final DeviceContext device;
    private final int number;
    private final AtomicInteger users = new AtomicInteger();
    private volatile boolean closed;

    ProtectionDomain(DeviceContext device, int number) {
        this.device = device;
        this.number = number;
    }

    public DeviceContext device() {
        return device;
    }

    int number() {
        return number;
    }

    /**
     * Registers memory ({@code ibv_reg_mr}). Its wire address is the memory's own address; heap memory has none, so it
     * gets one that nothing else has. With {@link AccessFlags#ZERO_BASED} it is 0.
     *
     * <p>Nothing is pinned: all memory is paged on demand, with {@link AccessFlags#ON_DEMAND} and without.
     *
     * @param memory native or mapped, or heap over a {@code byte[]}
     * @param access bits of {@link AccessFlags}
     * @throws VerbsException EINVAL where flags or memory do not allow it
     */
    public MemoryRegion register(MemorySegment memory, int access) {
        long address = memory.isNative() ? memory.address() : device.syntheticAddress(memory.byteSize());
        return register(memory, (access & AccessFlags.ZERO_BASED) != 0 ? 0 : address, access);
    }

    /** Registers memory under a wire address of the application's choice ({@code ibv_reg_mr_iova}). */
    public MemoryRegion register(MemorySegment memory, long iova, int access) {
        requireOpen();
        MemoryBlock block = block(memory);
        checkAccess(access, block);
        adopt();
        Region[] region = new Region[1];
        device.control(() -> region[0] = device.engine().keys().register(block, iova, access, number));
        return new MemoryRegion(this, region[0], MemoryRegion.Kind.REGISTERED, memory);
    }

    /**
     * Makes a region of no memory ({@code ib_alloc_mr}), for {@link MemoryRegion#map} and REG_MR work requests: registration
     * without a call that waits for the device.
     */
    public MemoryRegion allocateRegion() {
        requireOpen();
        adopt();
        Region[] region = new Region[1];
        device.control(() -> region[0] = device.engine().keys().allocate(number));
        return new MemoryRegion(this, region[0], MemoryRegion.Kind.BY_WORK, null);
    }

    /**
     * Makes a null region ({@code ibv_alloc_null_mr}): it has all addresses, reads give zeros, and what is written to it is
     * gone. Its key is an L_Key only: a peer that names it is refused.
     */
    public MemoryRegion allocateNullRegion() {
        requireOpen();
        adopt();
        Region[] region = new Region[1];
        device.control(() -> region[0] = device.engine().keys().registerNull(number));
        return new MemoryRegion(this, region[0], MemoryRegion.Kind.NULL, null);
    }

    /** Makes a memory window, bound to nothing ({@code ibv_alloc_mw}). */
    public MemoryWindow allocateWindow(WindowType type) {
        requireOpen();
        adopt();
        Window[] window = new Window[1];
        device.control(() -> window[0] = device.engine().keys().allocateWindow(type == WindowType.TYPE_2, number));
        return new MemoryWindow(this, type, window[0]);
    }

    /** Creates a queue pair in RESET ({@code ibv_create_qp}). */
    public QueuePair createQp(QpInitAttributes attributes) {
        requireOpen();
        return QueuePair.create(this, attributes);
    }

    /**
     * Creates an address handle ({@code ibv_create_ah}).
     *
     * @throws VerbsException EINVAL where a value is out of its range
     * @throws org.rdma4j.link.LinkException where the peer cannot be reached
     */
    public AddressHandle createAh(AhAttributes attributes) {
        requireOpen();
        return AddressHandle.create(this, attributes);
    }

    /** Creates an address handle that leads back to a datagram's sender ({@code ibv_create_ah_from_wc}). */
    public AddressHandle createAh(WorkCompletion completion, MemorySegment receive, long offset) {
        return createAh(AhAttributes.from(completion, receive, offset));
    }

    /** Creates a shared receive queue ({@code ibv_create_srq}) for so many receives of so many pieces each. */
    public SharedReceiveQueue createSrq(int maxWr, int maxSge) {
        requireOpen();
        return SharedReceiveQueue.create(this, maxWr, maxSge);
    }

    /**
     * Creates a shared receive queue that XRC messages name by its number ({@code ibv_create_srq_ex} with IBV_SRQT_XRC).
     *
     * @param domain whose queue pairs the messages come to
     * @param cq where its receives complete
     */
    public SharedReceiveQueue createXrcSrq(int maxWr, int maxSge, XrcDomain domain, CompletionQueue cq) {
        requireOpen();
        domain.requireOpen();
        cq.requireOpen();
        if (domain.device() != device || cq.device() != device) {
            throw VerbsException.invalid("the XRC domain or the completion queue belongs to another device");
        }
        return SharedReceiveQueue.createXrc(this, maxWr, maxSge, domain, cq);
    }

    void requireOpen() {
        if (closed) {
            throw VerbsException.invalid("the protection domain was freed");
        }
    }

    void adopt() {
        users.incrementAndGet();
    }

    void release() {
        users.decrementAndGet();
    }

    /**
     * Frees it ({@code ibv_dealloc_pd}).
     *
     * @throws VerbsException EBUSY while regions, queue pairs or shared receive queues are in it
     */
    @Override
    public void close() {
        if (users.get() > 0) {
            throw VerbsException.busy(
                    "the protection domain still holds %d regions, windows, queue pairs, shared receive queues and address handles",
                    users.get());
        }
        closed = true;
    }

    /** Rights that may stand together, and that this memory can give. */
    static void checkAccess(int access, MemoryBlock block) {
        checkAccess(access);
        if ((access & AccessFlags.FLUSH_PERSISTENT) != 0 && !block.isPersistent()) {
            throw VerbsException.invalid("FLUSH_PERSISTENT needs memory that is mapped from a file");
        }
    }

    static void checkAccess(int access) {
        String refusal = AccessFlags.refusal(access);
        if (refusal != null) {
            throw VerbsException.invalid("%s", refusal);
        }
    }

    /**
     * The region of all memory ({@code addr} 0, {@code length} SIZE_MAX) has no meaning here: nothing tells which
     * addresses are memory of this process, and a packet that named another would end it.
     */
    static MemoryBlock block(MemorySegment memory) {
        if (memory.isNative() && memory.address() == 0) {
            throw new VerbsException(
                    VerbsException.Errno.EOPNOTSUPP,
                    "an implicit on-demand region, all of the address space, cannot be had: register the memory itself,"
                            + " all of it is paged on demand");
        }
        try {
            return MemoryBlock.of(memory);
        } catch (IllegalArgumentException e) {
            throw VerbsException.invalid("%s", e.getMessage());
        }
    }
}
