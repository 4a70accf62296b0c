package org.rdma4j.verbs;

import java.lang.foreign.MemorySegment;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.memory.MemoryBlock;
import org.rdma4j.memory.Region;

/**
 * Registered memory ({@code struct ibv_mr}). Its arena must stay open until {@link #close()}; memory whose arena was
 * closed is refused like a key that does not exist.
 */
public final class MemoryRegion implements AutoCloseable {

    private ProtectionDomain pd;
    private final Region region;
    private MemorySegment memory;
    private boolean closed;

    MemoryRegion(ProtectionDomain pd, Region region, MemorySegment memory) {
        this.pd = pd;
        this.region = region;
        this.memory = memory;
    }

    public ProtectionDomain pd() {
        return pd;
    }

    /** The memory that was registered. */
    public MemorySegment memory() {
        return memory;
    }

    /** The address on the wire and in SGEs of the first byte. */
    public long address() {
        return region.iova();
    }

    /** Bytes. */
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
        ProtectionDomain.checkAccess(access);
        pd.device().control(() -> region.replace(region.block(), region.iova(), access, region.pd()));
    }

    /** Moves it to another protection domain of its device ({@code ibv_rereg_mr} with CHANGE_PD). */
    public void reregister(ProtectionDomain domain) {
        requireOpen();
        domain.requireOpen();
        if (domain.device() != pd.device()) {
            throw VerbsException.invalid("the protection domain belongs to another device");
        }
        domain.adopt();
        pd.device().control(() -> region.replace(region.block(), region.iova(), region.access(), domain.number()));
        pd.release();
        pd = domain;
    }

    /** Puts other memory under the same keys ({@code ibv_rereg_mr} with CHANGE_TRANSLATION). */
    public void reregister(MemorySegment other, long iova) {
        requireOpen();
        MemoryBlock block = ProtectionDomain.block(other);
        pd.device().control(() -> region.replace(block, iova, region.access(), region.pd()));
        memory = other;
    }

    private void requireOpen() {
        if (closed) {
            throw VerbsException.invalid("the memory region was deregistered");
        }
    }

    /** Deregisters ({@code ibv_dereg_mr}): after the return no packet touches the memory. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            pd.device().control(() -> pd.device().engine().keys().deregister(region));
            pd.release();
        }
    }
}
