package org.rdma4j.ibsim.mad;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rdma4j.ibsim.subnet.InstantSubnet;

/** SMP-03: what somebody may do at a port whose M_Key he does not have. */
class MKeyTest {

    private static final long KEY = 0x0123_4567_89AB_CDEFL;
    private static final int PORT_INFO = SubnetAgent.PORT_INFO;
    private static final int LEASE_SECONDS = 3;

    private final Asker asker = new Asker();

    @BeforeEach
    void up() {
        InstantSubnet.bringUp(asker.fabric);
    }

    private void protect(int level, int lease) {
        Mad info = asker.get(Asker.SECOND_HOST, PORT_INFO, 0);
        info.setInt64(Mad.DATA + PortInfo.M_KEY, KEY);
        info.setInt16(Mad.DATA + PortInfo.M_KEY_LEASE_PERIOD, lease);
        info.setInt8(Mad.DATA + PortInfo.PROTECT_LMC, level << 6);
        info.setInt16(
                Mad.DATA + PortInfo.MASTER_SM_LID, asker.port("H-1").settings().lid());
        info.setInt8(Mad.DATA + PortInfo.SPEED_SUPPORTED_STATE, 0);
        info.setInt8(Mad.DATA + PortInfo.PHYSICAL_STATE_DOWN_DEFAULT, 0);
        assertNotNull(asker.set(Asker.SECOND_HOST, PORT_INFO, 0, info));
    }

    private Mad ask(int method, long key) {
        Mad mad = Smp.directed(method, PORT_INFO, 0, Asker.SECOND_HOST, key);
        if (method == Mad.SET) {
            Mad now = asker.ask(Smp.directed(Mad.GET, PORT_INFO, 0, Asker.SECOND_HOST, KEY));
            now.setInt8(Mad.DATA + PortInfo.SPEED_SUPPORTED_STATE, 0);
            now.setInt8(Mad.DATA + PortInfo.PHYSICAL_STATE_DOWN_DEFAULT, 0);
            mad.data().copyFrom(now.data());
        }
        return asker.ask(mad);
    }

    private int violations() {
        return ask(Mad.GET, KEY).int16(Mad.DATA + PortInfo.M_KEY_VIOLATIONS);
    }

    @ParameterizedTest
    @CsvSource({"0, true, true", "1, true, false", "2, false, false", "3, false, false"})
    @DisplayName("SMP-03 by its level the key lets others read, read all but the key, or nothing, and never set")
    void levels(int level, boolean reads, boolean seesKey) {
        protect(level, 0);
        Mad read = ask(Mad.GET, 1);
        if (reads) {
            assertEquals(seesKey ? KEY : 0, read.int64(Mad.DATA + PortInfo.M_KEY));
        } else {
            assertNull(read.method() == Mad.GET_RESP ? read : null);
        }
        assertNull(answerOf(ask(Mad.SET, 1)));
        assertEquals(KEY, ask(Mad.GET, KEY).int64(Mad.DATA + PortInfo.M_KEY));
        assertNotNull(answerOf(ask(Mad.SET, KEY)));
        assertEquals(reads ? 1 : 2, violations());
    }

    private static Mad answerOf(Mad mad) {
        return mad != null && mad.method() == Mad.GET_RESP ? mad : null;
    }

    @Test
    @DisplayName("SMP-03 a wrong key makes a trap 256, which names who came with what")
    void trap() {
        protect(2, 0);
        Mad trap = ask(Mad.GET, 99);
        assertEquals(Mad.TRAP, trap.method());
        assertEquals(Notice.BAD_M_KEY, trap.int16(Notice.NUMBER));
        assertEquals(Mad.GET, trap.int8(Notice.DETAILS + 6));
        assertEquals(PORT_INFO, trap.int16(Notice.DETAILS + 8));
        assertEquals(99, trap.int64(Notice.DETAILS + 14));
        assertEquals(0x80 | 2, trap.int8(Notice.DETAILS + 23));
        assertEquals(1, trap.int8(Notice.DETAILS + 24));
        asker.received.clear();
        asker.run(2.5);
        assertEquals(2, asker.received.size(), "again each second");
        Mad repress = Mad.copyOf(trap.bytes(), 0);
        repress.setMethod(Mad.TRAP_REPRESS);
        repress.destinationLid = trap.sourceLid;
        assertNull(asker.ask(repress));
        asker.run(5);
        assertEquals(0, asker.received.size(), "until it is repressed");
    }

    @Test
    @DisplayName(
            "SMP-03 the lease runs from the first wrong key, ends the protection, and starts anew with the right key")
    void lease() {
        protect(2, LEASE_SECONDS);
        asker.run(10);
        assertNull(answerOf(ask(Mad.GET, 1)), "it does not run by itself");
        asker.run(LEASE_SECONDS - 1);
        assertNotNull(answerOf(ask(Mad.GET, KEY))); // its owner is still there
        asker.run(LEASE_SECONDS - 1);
        assertNull(answerOf(ask(Mad.GET, 1)));
        asker.run(LEASE_SECONDS + 0.1);
        Mad open = ask(Mad.GET, 1);
        assertEquals(KEY, open.int64(Mad.DATA + PortInfo.M_KEY), "a new manager can read the key and go on with it");
        assertEquals(0, open.int8(Mad.DATA + PortInfo.PROTECT_LMC) >> 6);
    }
}
