package org.rdma4j.congestion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** DCQCN's sender against the paper's equations. */
class ReactionPointTest {

    private static final long START = 1_000_000;
    private static final Dcqcn SETTINGS = Dcqcn.at(40);
    private static final double G = 1.0 / 256;

    private final ReactionPoint sender = new ReactionPoint(SETTINGS, START);

    @Test
    void startsAtTheLinesRate() {
        assertEquals(40, sender.rate());
        assertEquals(1, sender.alpha());
    }

    @Test
    void aCnpCutsByHalfOfAlpha() {
        sender.onCnp(START);
        assertEquals(20, sender.rate(), 1e-9);
        assertEquals(40, sender.target(), 1e-9);
        assertEquals((1 - G) + G, sender.alpha(), 1e-9);
        sender.onCnp(START + 50_000);
        assertEquals(10, sender.rate(), 1e-9);
        assertEquals(20, sender.target(), 1e-9);
    }

    @Test
    void alphaFallsWhileNoCnpComes() {
        sender.onCnp(START);
        sender.advance(START + 3 * SETTINGS.alphaTimer());
        assertEquals(Math.pow(1 - G, 3), sender.alpha(), 1e-9);
        sender.onCnp(START + 3 * SETTINGS.alphaTimer() + 1);
        assertEquals((1 - G) * Math.pow(1 - G, 3) + G, sender.alpha(), 1e-9);
    }

    @Test
    void fastRecoveryGoesHalfTheWayBackEachTime() {
        sender.onCnp(START);
        double[] expected = {30, 35, 37.5, 38.75};
        for (int round = 0; round < expected.length; round++) {
            sender.advance(START + (round + 1) * SETTINGS.rateTimer() - 1);
            assertEquals(round == 0 ? 20 : expected[round - 1], sender.rate(), 1e-9);
            sender.advance(START + (round + 1) * SETTINGS.rateTimer());
            assertEquals(expected[round], sender.rate(), 1e-9);
            assertEquals(40, sender.target(), 1e-9);
        }
    }

    @Test
    void bytesIncreaseAsTimeDoes() {
        sender.onCnp(START);
        sender.sent(9_999_999);
        assertEquals(20, sender.rate(), 1e-9);
        sender.sent(1);
        assertEquals(30, sender.rate(), 1e-9);
    }

    @Test
    void additiveIncreaseRaisesTheTarget() {
        sender.onCnp(START);
        sender.onCnp(START);
        sender.onCnp(START);
        assertEquals(10, sender.target(), 1e-9);
        sender.advance(START + 4 * SETTINGS.rateTimer());
        assertEquals(10, sender.target(), 1e-9);
        sender.advance(START + 5 * SETTINGS.rateTimer());
        assertEquals(10.04, sender.target(), 1e-9);
    }

    @Test
    void hyperIncreaseNeedsTimerAndBytes() {
        sender.onCnp(START);
        sender.onCnp(START);
        sender.onCnp(START);
        for (int round = 0; round < 6; round++) {
            sender.sent((int) SETTINGS.byteCounter());
        }
        double additive = sender.target(); // 10 and two steps
        assertEquals(10.08, additive, 1e-9);
        sender.advance(START + 5 * SETTINGS.rateTimer());
        double before = sender.target();
        sender.advance(START + 6 * SETTINGS.rateTimer());
        assertEquals(before + SETTINGS.hyperStep(), sender.target(), 1e-9);
    }

    @Test
    void comesBackToTheLinesRateAndStaysThere() {
        sender.onCnp(START);
        sender.advance(START + 1_000_000_000L);
        assertEquals(40, sender.rate());
        sender.advance(START + 1_000_000_000_000_000L);
        assertEquals(40, sender.rate());
    }

    @Test
    void neverFallsBelowTheLowestRate() {
        for (int cnp = 0; cnp < 100; cnp++) {
            sender.onCnp(START + cnp);
        }
        assertEquals(SETTINGS.minRate(), sender.rate(), 1e-9);
    }

    @Test
    void letsOutWhatTheRateAllows() {
        long now = START;
        long sent = 0;
        sender.onCnp(now); // 20 Gb/s: 2.5 bytes a ns
        for (int step = 0; step < 1000; step++) {
            int allowed = sender.allowance(now, 1 << 20);
            if (allowed > 0) {
                sender.sent(1000);
                sent += 1000;
            } else {
                now = sender.nextAllowance();
            }
            if (now > START + 50_000) {
                break;
            }
        }
        assertEquals(50_000 * 2.5 + SETTINGS.burst(), (double) sent, 2000);
    }

    @Test
    void waitsNoLongerThanUntilTheNextIncrease() {
        for (int cnp = 0; cnp < 100; cnp++) {
            sender.onCnp(START);
        }
        sender.sent(1 << 20);
        assertEquals(0, sender.allowance(START, 1));
        assertTrue(sender.nextAllowance() <= START + SETTINGS.rateTimer());
        assertTrue(sender.nextAllowance() > START);
    }

    @Test
    void refusesSettingsWithoutSense() {
        assertThrows(IllegalArgumentException.class, () -> Dcqcn.at(0));
        assertThrows(IllegalArgumentException.class, () -> Dcqcn.at(-1));
        assertThrows(IllegalArgumentException.class, () -> SETTINGS.withBurst(0));
    }
}
