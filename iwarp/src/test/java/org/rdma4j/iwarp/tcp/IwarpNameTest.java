package org.rdma4j.iwarp.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rdma4j.iwarp.mpa.CrcRule;
import org.rdma4j.iwarp.mpa.MpaSettings;
import org.rdma4j.link.LinkException;

/** What the name of an iWARP device may ask of MPA. */
class IwarpNameTest {

    private static MpaSettings settings(String text) {
        return IwarpName.parse(text).settings();
    }

    @Test
    void anAddressAloneAsksForNothing() {
        IwarpName name = IwarpName.parse("127.0.0.1");
        assertEquals("127.0.0.1", name.address().getHostAddress());
        assertEquals(MpaSettings.defaults(), name.settings());
        assertEquals(new KeepAlive(KeepAlive.SYSTEM), name.keepAlive());
    }

    @Test
    void everyOptionDoesWhatItSays() {
        assertTrue(settings("127.0.0.1?crc=on").crc());
        assertEquals(CrcRule.RFC, settings("127.0.0.1?crc=on").crcRule());
        assertEquals(CrcRule.SIW, settings("127.0.0.1?crc=siw").crcRule());
        assertTrue(settings("127.0.0.1?markers=on").receivesMarkers());
        assertFalse(settings("127.0.0.1?mpa=1").enhanced());
        MpaSettings two = settings("127.0.0.1?p2p=on,crc=on");
        assertTrue(two.peerToPeer() && two.crc());
        assertTrue(settings("::1?markers=on&crc=on").crc());
        assertEquals(
                new KeepAlive(30), IwarpName.parse("127.0.0.1?keepalive=30").keepAlive());
        assertEquals(
                new KeepAlive(0), IwarpName.parse("127.0.0.1?keepalive=off").keepAlive());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            127.0.0.1?crc=maybe      | iwarp:127.0.0.1?crc=maybe: crc=maybe: crc is on, off or siw
            127.0.0.1?mpa=3          | iwarp:127.0.0.1?mpa=3: mpa=3: mpa is 1 or 2
            127.0.0.1?p2p=1          | iwarp:127.0.0.1?p2p=1: p2p=1: p2p is on or off
            127.0.0.1?mtu=9          | iwarp:127.0.0.1?mtu=9: "mtu=9" is none of its options: crc, markers, mpa, p2p, keepalive
            127.0.0.1?crc=on&crc=off | iwarp:127.0.0.1?crc=on&crc=off: crc stands there twice
            127.0.0.1?p2p=on&mpa=1   | iwarp:127.0.0.1?p2p=on&mpa=1: p2p=on needs mpa=2: revision 1 has no peer-to-peer connections
            127.0.0.1?keepalive=0    | iwarp:127.0.0.1?keepalive=0: keepalive=0: keepalive is 1 to 32767 seconds, or off
            127.0.0.1?keepalive=soon | iwarp:127.0.0.1?keepalive=soon: keepalive=soon: keepalive is 1 to 32767 seconds, or off
            0.0.0.0                  | iwarp:0.0.0.0: a device needs one address of this host, not a wildcard or a group
            """)
    void whatIsNoNameIsToldInOneLine(String text, String words) {
        assertEquals(
                words,
                assertThrows(LinkException.class, () -> IwarpName.parse(text)).getMessage());
    }
}
