package org.rdma4j.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.rdma4j.verbs.TwoDevices.refused;
import static org.rdma4j.verbs.TwoDevices.take;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.verbs.VerbsException.Errno;

/** {@code ibv_reg_mr}, {@code ibv_reg_mr_iova}, {@code ibv_rereg_mr}, {@code ibv_dereg_mr} and {@code ibv_dealloc_pd}. */
class MemoryRegionTest {

    private static final long VALUE = 0x1122_3344_5566_7788L;
    private static final int READ = AccessFlags.REMOTE_READ;

    private final TwoDevices two = new TwoDevices().connected();

    @AfterEach
    void close() {
        two.close();
    }

    /** Reads the eight bytes at an address of the peer's memory; the status and the value. */
    private WcStatus read(long address, int rKey) {
        two.region.memory().set(ValueLayout.JAVA_LONG, 0, 0);
        two.qp.postSend(two.send
                .reset(WrOpcode.RDMA_READ)
                .sge(two.region, 0, 8)
                .remote(address, rKey)
                .signaled());
        two.run();
        return take(two.cq).getFirst().status();
    }

    private void reads(long value, long address, int rKey) {
        assertEquals(WcStatus.SUCCESS, read(address, rKey));
        assertEquals(value, two.region.memory().get(ValueLayout.JAVA_LONG, 0));
    }

    @Test
    void nativeMemoryIsKnownByItsOwnAddress() {
        MemorySegment memory = Arena.ofAuto().allocate(8, 8);
        memory.set(ValueLayout.JAVA_LONG, 0, VALUE);
        MemoryRegion region = two.pdThere.register(memory, READ);
        assertEquals(memory.address(), region.address());
        assertEquals(8, region.length());
        assertEquals(READ, region.access());
        reads(VALUE, memory.address(), region.rKey());
    }

    @Test
    void heapMemoryGetsAddressesThatNothingElseHas() {
        MemoryRegion one = two.pdThere.register(MemorySegment.ofArray(new byte[16]), READ);
        MemoryRegion other = two.pdThere.register(MemorySegment.ofArray(new byte[16]), READ);
        other.memory().set(ValueLayout.JAVA_LONG_UNALIGNED, 8, VALUE);
        assertNotEquals(one.address(), other.address());
        reads(VALUE, other.address() + 8, other.rKey());
    }

    @Test
    void addressMayBeChosen() {
        MemorySegment memory = Arena.ofAuto().allocate(8, 8);
        memory.set(ValueLayout.JAVA_LONG, 0, VALUE);
        reads(
                VALUE,
                0xABCD_0000_1234L,
                two.pdThere.register(memory, 0xABCD_0000_1234L, READ).rKey());
        reads(
                VALUE,
                0,
                two.pdThere.register(memory, READ | AccessFlags.ZERO_BASED).rKey());
    }

    @Test
    void regionsMayOverlap() {
        MemorySegment memory = Arena.ofAuto().allocate(24, 8);
        memory.set(ValueLayout.JAVA_LONG, 8, VALUE);
        MemoryRegion whole = two.pdThere.register(memory, READ);
        MemoryRegion part = two.pdThere.register(memory.asSlice(8, 8), READ);
        reads(VALUE, memory.address() + 8, whole.rKey());
        reads(VALUE, memory.address() + 8, part.rKey());
        part.close();
        reads(VALUE, memory.address() + 8, whole.rKey());
    }

    @Test
    void emptyRegionGivesNoByte() {
        MemorySegment memory = Arena.ofAuto().allocate(8, 8);
        MemoryRegion empty = two.pdThere.register(memory.asSlice(0, 0), READ);
        assertEquals(0, empty.length());
        assertEquals(WcStatus.REM_ACCESS_ERR, read(memory.address(), empty.rKey()));
    }

    @Test
    void regionMayBeLongerThanTwoGigabytes(@TempDir Path folder) throws IOException {
        long size = 5L << 30; // a file with a hole: it takes no space
        try (Arena arena = Arena.ofConfined();
                FileChannel file = FileChannel.open(
                        folder.resolve("huge"),
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.SPARSE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            MemorySegment memory = file.map(FileChannel.MapMode.READ_WRITE, 0, size, arena);
            memory.set(ValueLayout.JAVA_LONG, size - 8, VALUE);
            try (MemoryRegion region = two.pdThere.register(memory, READ)) {
                reads(VALUE, region.address() + size - 8, region.rKey());
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"2, REMOTE_WRITE needs LOCAL_WRITE", "8, REMOTE_ATOMIC needs LOCAL_WRITE", "0x40000000, 0x40000000"})
    void rightsThatDoNotStandTogetherAreRefused(String access, String named) {
        refused(Errno.EINVAL, named, () -> two.pd.register(two.region.memory(), Integer.decode(access)));
        refused(Errno.EINVAL, named, () -> two.region.reregister(Integer.decode(access)));
        refused(Errno.EBUSY, "2 regions", two.pd::close); // the region and the queue pair, and nothing that leaked
    }

    @Test
    void flagsWithoutAMeaningHereAreTaken() {
        int flags = AccessFlags.RELAXED_ORDERING | AccessFlags.ON_DEMAND | AccessFlags.HUGETLB;
        MemorySegment memory = Arena.ofAuto().allocate(8, 8);
        memory.set(ValueLayout.JAVA_LONG, 0, VALUE);
        reads(
                VALUE,
                memory.address(),
                two.pdThere.register(memory, READ | flags).rKey());
    }

    @Test
    void memoryThatCannotBeWrittenIsRefusedForWriting() {
        MemorySegment readOnly = Arena.ofAuto().allocate(8).asReadOnly();
        refused(Errno.EINVAL, "read-only", () -> two.pd.register(readOnly, AccessFlags.LOCAL_WRITE));
    }

    @Test
    void heapOfOtherThanBytesIsRefused() {
        refused(Errno.EINVAL, "byte[]", () -> two.pd.register(MemorySegment.ofArray(new long[1]), 0));
    }

    @Test
    void onlyAMappedFileCanBeMadePersistentHoweverItIsAskedFor() {
        int persistent = AccessFlags.FLUSH_PERSISTENT;
        MemorySegment plain = Arena.ofAuto().allocate(8);
        refused(Errno.EINVAL, "mapped from a file", () -> two.pd.register(plain, persistent));
        refused(Errno.EINVAL, "mapped from a file", () -> two.region.reregister(persistent));
    }

    @Test
    void persistentRegionKeepsToMappedFiles(@TempDir Path folder) throws IOException {
        try (Arena arena = Arena.ofShared();
                FileChannel file = FileChannel.open(
                        folder.resolve("file"),
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            MemorySegment mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, 4096, arena);
            try (MemoryRegion region = two.pd.register(mapped, AccessFlags.FLUSH_PERSISTENT)) {
                MemorySegment plain = Arena.ofAuto().allocate(8);
                refused(Errno.EINVAL, "mapped from a file", () -> region.reregister(plain, 0));
            }
        }
    }

    @Test
    void newRightsHoldUnderTheSameKey() {
        MemoryRegion region = two.pdThere.register(Arena.ofAuto().allocate(8), AccessFlags.LOCAL_WRITE);
        int key = region.rKey();
        region.reregister(READ);
        assertEquals(READ, region.access());
        assertEquals(WcStatus.SUCCESS, read(region.address(), key));
        region.reregister(AccessFlags.LOCAL_WRITE);
        assertEquals(WcStatus.REM_ACCESS_ERR, read(region.address(), key));
    }

    @Test
    void newMemoryStandsUnderTheSameKey() {
        MemoryRegion region = two.pdThere.register(Arena.ofAuto().allocate(8), READ);
        MemorySegment other = Arena.ofAuto().allocate(8, 8);
        other.set(ValueLayout.JAVA_LONG, 0, VALUE);
        region.reregister(other, 0x1000);
        reads(VALUE, 0x1000, region.rKey());
    }

    @Test
    void otherDomainHoldsItThen() {
        ProtectionDomain other = two.there.allocPd();
        MemoryRegion region = two.pdThere.register(Arena.ofAuto().allocate(8), READ);
        region.reregister(other);
        refused(Errno.EBUSY, "1 regions", other::close);
        assertEquals(WcStatus.REM_ACCESS_ERR, read(region.address(), region.rKey()));
    }

    @Test
    void domainsOfOtherDevicesAndFreedOnesAreRefused() {
        refused(Errno.EINVAL, "another device", () -> two.region.reregister(two.pdThere));
        ProtectionDomain freed = two.here.allocPd();
        freed.close();
        freed.close();
        refused(Errno.EINVAL, "was freed", () -> two.region.reregister(freed));
        refused(Errno.EINVAL, "was freed", () -> freed.register(two.region.memory(), 0));
        refused(Errno.EINVAL, "was freed", () -> freed.createQp(QpInitAttributes.rc(two.cq)));
        refused(Errno.EINVAL, "was freed", () -> freed.createSrq(1, 1));
        refused(Errno.EINVAL, "was freed", () -> freed.createAh(AhAttributes.to(two.here.queryGid(0))));
    }

    @Test
    void deregisteredOneIsNotReregistered() {
        MemoryRegion region = two.pd.register(Arena.ofAuto().allocate(8), READ);
        region.close();
        region.close();
        refused(Errno.EINVAL, "was deregistered", () -> region.reregister(READ));
        refused(Errno.EINVAL, "was deregistered", () -> region.reregister(two.region.memory(), 0));
        refused(Errno.EINVAL, "was deregistered", () -> region.reregister(two.here.allocPd()));
    }
}
