package org.rdma4j.congestion;

/**
 * The sender's half of DCQCN for one queue pair: a rate that each CNP cuts and that time and sent bytes raise again, and
 * the bytes that may leave at it. Times are ns of whatever clock; timers that ran out in between are made up for when
 * somebody asks, so that none of them has to fire.
 *
 * <pre>
 *   CNP:       target = rate;  rate = rate (1 - alpha / 2);  alpha = (1 - g) alpha + g
 *   no CNP:    alpha = (1 - g) alpha                            each alphaTimer
 *   increase:  target grows or not, rate = (target + rate) / 2  each rateTimer, and each byteCounter bytes
 * </pre>
 */
public final class ReactionPoint {

    /** So near to the line's rate it is that. */
    private static final double FULL = 0.999;

    private final Dcqcn settings;
    private double rate;
    private double target;
    private double alpha = 1;
    private boolean cut; // below the line's rate
    private long alphaDue;
    private long rateDue;
    private long bytesLeft;
    private int timerRounds;
    private int byteRounds;
    private double tokens; // bytes that may leave now; the last packet may overdraw them
    private long filledAt;

    /** At the line's rate. */
    public ReactionPoint(Dcqcn settings, long now) {
        this.settings = settings;
        this.rate = settings.lineRate();
        this.target = rate;
        this.tokens = settings.burst();
        this.filledAt = now;
        this.alphaDue = now + settings.alphaTimer();
    }

    /** A CNP has come (paper, 3.1, equation 1). */
    public void onCnp(long now) {
        advance(now);
        fill(now);
        target = rate;
        rate = Math.max(settings.minRate(), rate * (1 - alpha / 2));
        alpha = (1 - settings.gain()) * alpha + settings.gain();
        cut = true;
        alphaDue = now + settings.alphaTimer();
        rateDue = now + settings.rateTimer();
        bytesLeft = settings.byteCounter();
        timerRounds = 0;
        byteRounds = 0;
    }

    /** @return how much of a budget may leave now, bytes; 0 where nothing may */
    public int allowance(long now, int budget) {
        advance(now);
        fill(now);
        return tokens <= 0 ? 0 : (int) Math.min(budget, Math.ceil(tokens));
    }

    /** So many bytes leave, which {@link #allowance} has allowed, but for the end of their last packet. */
    public void sent(int bytes) {
        tokens -= bytes;
        if (cut) {
            bytesLeft -= bytes;
            while (bytesLeft <= 0 && cut) {
                bytesLeft += settings.byteCounter();
                byteRounds++;
                increase();
            }
        }
    }

    /** When to ask for an allowance again after there was none. */
    public long nextAllowance() {
        long filled = filledAt + 1 + (long) Math.ceil(Math.max(0, -tokens) * Byte.SIZE / rate);
        return cut ? Math.min(filled, Math.max(rateDue, filledAt + 1)) : filled;
    }

    /** The rate, Gb/s. */
    public double rate() {
        return rate;
    }

    /** What the rate recovers to, Gb/s. */
    public double target() {
        return target;
    }

    /** How much congestion there seems to be, 0 to 1. */
    public double alpha() {
        return alpha;
    }

    /** Does what timers have asked for up to now. */
    public void advance(long now) {
        if (alphaDue <= now) {
            long times = (now - alphaDue) / settings.alphaTimer() + 1;
            alpha *= Math.pow(1 - settings.gain(), (double) times);
            alphaDue += times * settings.alphaTimer();
        }
        while (cut && rateDue <= now) {
            fill(rateDue);
            rateDue += settings.rateTimer();
            timerRounds++;
            increase();
        }
    }

    private void fill(long now) {
        if (now > filledAt) {
            tokens = Math.min(settings.burst(), tokens + (now - filledAt) * rate / Byte.SIZE);
            filledAt = now;
        }
    }

    /** Fast recovery, additive increase, hyper increase (paper, figure 7; the last one's step as in 802.1Qau). */
    private void increase() {
        int most = Math.max(timerRounds, byteRounds);
        int least = Math.min(timerRounds, byteRounds);
        if (least > settings.fastRecoveries()) {
            target += (least - settings.fastRecoveries()) * settings.hyperStep();
        } else if (most >= settings.fastRecoveries()) {
            target += settings.additiveStep();
        }
        target = Math.min(target, settings.lineRate());
        rate = (target + rate) / 2;
        if (rate >= settings.lineRate() * FULL) {
            rate = settings.lineRate();
            cut = false;
        }
    }
}
