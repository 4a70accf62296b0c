package org.rdma4j.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.UnknownHostException;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GidTest {

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1,10.0.0.1",
        "0:0:0:0:0:0:0:1,::1",
        "0:0:0:0:0:0:0:0,::",
        "fe80:0:0:0:5054:ff:fe00:1,fe80::5054:ff:fe00:1",
        "2001:db8:0:1:0:0:0:1,2001:db8:0:1::1",
        "2001:0:0:1:0:0:0:0,2001:0:0:1::",
        "2001:db8:0:1:2:3:4:5,2001:db8:0:1:2:3:4:5",
    })
    void addressesAreWrittenShort(String address, String text) throws UnknownHostException {
        assertEquals(text, Gid.of(InetAddress.getByName(address)).toIpText());
    }

    @Property
    void theShortFormIsReadAsTheSameAddress(@ForAll("halves") long high, @ForAll("halves") long low)
            throws UnknownHostException {
        Gid gid = new Gid(high, low);
        assertEquals(gid, Gid.of(InetAddress.getByName(gid.toIpText())));
    }

    @Provide
    Arbitrary<Long> halves() {
        Arbitrary<Long> group = Arbitraries.of(0L, 0L, 0L, 1L, 0xFFFFL, 0x0AB0L);
        return group.list().ofSize(4).map(groups -> groups.stream().reduce(0L, (all, next) -> all << 16 | next));
    }
}
