package org.rdma4j.link.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FaultsTest {

    @Test
    void readsWhatPeopleWrite() {
        assertEquals(
                new Faults(0.05, 0.02, 0.5, 0.001, 10_000, 1_500_000),
                Faults.parse("loss=5%, reorder=2%,duplicate=0.5,corrupt=0.1%,delay=10us,jitter=1.5ms"));
        assertEquals(new Faults(0, 0, 0, 0, 2_000_000_000L, 7), Faults.parse("jitter=7ns,delay=2s"));
        assertEquals(Faults.NONE, Faults.parse(" "));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "loss",
                "loss=",
                "loss=5x",
                "loss=101%",
                "loss=-1%",
                "delay=10",
                "delay=us",
                "lag=1us",
                "loss=NaN"
            })
    void namesWhatItCannotRead(String text) {
        IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, () -> Faults.parse(text));
        assertTrue(refusal.getMessage().length() > 10, refusal.getMessage());
    }
}
