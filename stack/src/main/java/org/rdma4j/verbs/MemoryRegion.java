package org.rdma4j.verbs;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.memory.MemoryBlock;
import org.rdma4j.memory.Region;

/**
 * Registered memory ({@code struct ibv_mr}). Its arena must stay open until {@link #close()}; memory whose arena was
 * closed is refused like a key that does not exist.
 */
public final class MemoryRegion implements AutoCloseable {

    private static final int PAGE = 4096;
    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();

    private ProtectionDomain pd;
    private final Region region;
    private final Kind kind;
    private MemorySegment memory;
    private boolean closed;

    /** Where its memory comes from. */
    enum Kind {
        /** The call that registers it. */
        REGISTERED,
        /** Work requests. */
        BY_WORK,
        /** There is none. */
        NULL
    }

    MemoryRegion(ProtectionDomain pd, Region region, Kind kind, MemorySegment memory) {
        this.pd = pd;
        this.region = region;
        this.kind = kind;
        this.memory = memory;
    }

    public ProtectionDomain pd() {
        return pd;
    }

    /** The memory that was registered or mapped; {@code null} before, and of a null region. */
    public MemorySegment memory() {
        return memory;
    }

    /** The address on the wire and in SGEs of the first byte. */
    public long address() {
        return region.iova();
    }

    /** Bytes; of a null region the largest number that is, read as unsigned. */
    public long length() {
        return region.length();
    }

    public int lKey() {
        return region.key();
    }

    public int rKey() {
        return region.key();
    }

    /** Bits of {@link AccessFlags}. */
    public int access() {
        return region.access();
    }

    /** Changes the rights ({@code ibv_rereg_mr} with CHANGE_ACCESS); the keys stay. */
    public void reregister(int access) {
        requireOpen();
        ProtectionDomain.checkAccess(access, region.block());
        change(() -> region.replace(region.block(), region.iova(), access, region.pd()));
    }

    /** Moves it to another protection domain of its device ({@code ibv_rereg_mr} with CHANGE_PD). */
    public void reregister(ProtectionDomain domain) {
        requireOpen();
        domain.requireOpen();
        if (domain.device() != pd.device()) {
            throw VerbsException.invalid("the protection domain belongs to another device");
        }
        change(() -> region.replace(region.block(), region.iova(), region.access(), domain.number()));
        domain.adopt();
        pd.release();
        pd = domain;
    }

    /** Puts other memory under the same keys ({@code ibv_rereg_mr} with CHANGE_TRANSLATION). */
    public void reregister(MemorySegment other, long iova) {
        requireOpen();
        MemoryBlock block = ProtectionDomain.block(other);
        ProtectionDomain.checkAccess(region.access(), block);
        change(() -> region.replace(block, iova, region.access(), region.pd()));
        memory = other;
    }

    /**
     * Says what memory the next REG_MR opens, and under which wire address ({@code ib_map_mr_sg}).
     *
     * @throws VerbsException EINVAL where this region was not allocated for that
     */
    public void map(MemorySegment other, long iova) {
        requireOpen();
        if (!isRegisteredByWork()) {
            throw VerbsException.invalid("only a region of allocateRegion() is mapped");
        }
        MemoryBlock block = ProtectionDomain.block(other);
        pd.device().control(() -> region.map(block, iova));
        memory = other;
    }

    /**
     * Brings pages into memory before a packet needs them ({@code ibv_advise_mr} with PREFETCH).
     *
     * @param offset bytes behind the region's start
     * @throws VerbsException EINVAL where that is not all inside
     */
    public void prefetch(long offset, long size) {
        if (memory == null || offset < 0 || size < 0 || size > memory.byteSize() - offset) {
            throw VerbsException.invalid(
                    "prefetch of %d bytes from offset %d is not inside of the region", size, offset);
        }
        for (long at = offset; at < offset + size; at += PAGE) {
            byte _ = (byte) BYTE.getVolatile(memory, at); // a read that the compiler cannot leave out
        }
        if (size > 0) {
            byte _ = (byte) BYTE.getVolatile(memory, offset + size - 1); // its page may start between two steps
        }
    }

    /** True for a region that REG_MR work requests register. */
    boolean isRegisteredByWork() {
        return kind == Kind.BY_WORK;
    }

    /** A change that nobody may see half of, and that bound windows forbid (10.6.7.2.5). */
    private void change(Runnable what) {
        switch (kind) {
            case REGISTERED -> {}
            case BY_WORK ->
                throw VerbsException.invalid("a region of allocateRegion() is changed by work requests alone");
            case NULL -> throw VerbsException.invalid("a null region stays as it is");
        }
        pd.device().control(() -> {
            requireNoWindows();
            what.run();
        });
    }

    private void requireNoWindows() {
        if (region.boundWindows() > 0) {
            throw VerbsException.busy("%d memory windows are bound to the region", region.boundWindows());
        }
    }

    private void requireOpen() {
        if (closed) {
            throw VerbsException.invalid("the memory region was deregistered");
        }
    }

    /**
     * Deregisters ({@code ibv_dereg_mr}): after the return no packet touches the memory.
     *
     * @throws VerbsException EBUSY while memory windows are bound to it
     */
    @Override
    public void close() {
        if (!closed) {
            pd.device().control(() -> {
                requireNoWindows();
                pd.device().engine().keys().deregister(region);
            });
            closed = true;
            pd.release();
        }
    }
}
