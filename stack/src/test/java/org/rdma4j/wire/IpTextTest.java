package org.rdma4j.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IpTextTest {

    @ParameterizedTest
    @CsvSource({
        "10.77.0.1, 10.77.0.1",
        "fd77:0:0:0:0:0:0:1, fd77::1",
        "0:0:0:0:0:0:0:1, ::1",
        "0:0:0:0:0:0:0:0, ::",
        "fe80:0:0:0:0:0:0:0, fe80::",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
        "2001:DB8:0:0:1:0:0:1, 2001:db8::1:0:0:1"
    })
    void writesTheShortestForm(String written, String shortest) throws UnknownHostException {
        assertEquals(shortest, IpText.of(InetAddress.getByName(written)));
    }

    @Test
    void onlyLinkLocalAddressKeepsItsScope() throws UnknownHostException {
        byte[] linkLocal = InetAddress.getByName("fe80::1").getAddress();
        byte[] global = InetAddress.getByName("fd77::1").getAddress();
        assertEquals("fe80::1%7", IpText.of(Inet6Address.getByAddress(null, linkLocal, 7)));
        assertEquals("fd77::1", IpText.of(Inet6Address.getByAddress(null, global, 7)));
    }

    @Test
    void mappedGidShowsItsIpv4Address() {
        assertEquals("::ffff:10.77.0.1", Gid.ofIpv4(0x0A4D0001).toString());
    }

    @Test
    void gidIsWrittenAsItsAddressIs() throws UnknownHostException {
        assertEquals("fd77::1", Gid.of(InetAddress.getByName("fd77::1")).toString());
    }
}
