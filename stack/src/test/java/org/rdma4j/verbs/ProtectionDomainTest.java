package org.rdma4j.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.rdma4j.verbs.TwoDevices.refused;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.rdma4j.verbs.VerbsException.Errno;

/** {@code ibv_alloc_pd}, {@code ibv_dealloc_pd}, {@code ibv_create_ah}: domains and what keeps one. */
class ProtectionDomainTest {

    private final TwoDevices two = new TwoDevices();

    @AfterEach
    void close() {
        two.close();
    }

    @Test
    void manyAreAllocatedAndFreed() {
        List<ProtectionDomain> domains =
                IntStream.range(0, 100).mapToObj(_ -> two.here.allocPd()).toList();
        assertEquals(
                100, domains.stream().map(ProtectionDomain::number).distinct().count());
        domains.forEach(ProtectionDomain::close);
    }

    @Test
    void freedOnceMoreIsNothingButFreedOnesMakeNothing() {
        ProtectionDomain pd = two.here.allocPd();
        pd.close();
        pd.close();
        refused(Errno.EINVAL, "freed", () -> pd.createQp(QpInitAttributes.rc(two.cq)));
    }

    @Test
    void addressHandleKeepsItsDomain() {
        ProtectionDomain pd = two.here.allocPd();
        AddressHandle ah = pd.createAh(AhAttributes.to(two.there.queryGid(0)));
        refused(Errno.EBUSY, "1 ", pd::close);
        ah.close();
        ah.close();
        pd.close();
    }
}
