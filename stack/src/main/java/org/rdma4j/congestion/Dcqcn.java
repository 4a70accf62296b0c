package org.rdma4j.congestion;

/**
 * How DCQCN is set: the congestion control of RoCE v2 hosts (Zhu and others, "Congestion control for large-scale RDMA
 * deployments", SIGCOMM 2015). Switches mark packets (ECN), the receiver tells the sender of marks by CNPs (annex A17), the
 * sender lowers the rate of that queue pair and raises it again while no more of them come.
 *
 * @param lineRate Gb/s of the port: what a queue pair starts with and never exceeds
 * @param minRate Gb/s that a queue pair always has
 * @param gain g, the weight of the newest look at whether there is congestion: 0 to 1
 * @param alphaTimer ns without a CNP after which there was none, K
 * @param rateTimer ns from one increase to the next, T
 * @param byteCounter bytes from one increase to the next, B
 * @param fastRecoveries increases after a cut that go half the way back, F
 * @param additiveStep Gb/s that the target rises by with each increase behind those
 * @param hyperStep Gb/s that it rises by, times the count, once timer and counter both have come that far
 * @param cnpInterval ns from one CNP of a queue pair to the next at least, N
 * @param cnpTrafficClass DSCP and ECN of CNPs
 * @param burst bytes that may leave at once, so that the timer's coarseness costs no rate
 */
public record Dcqcn(
        double lineRate,
        double minRate,
        double gain,
        long alphaTimer,
        long rateTimer,
        long byteCounter,
        int fastRecoveries,
        double additiveStep,
        double hyperStep,
        long cnpInterval,
        int cnpTrafficClass,
        int burst) {

    private static final long MICROSECOND = 1000;

    /** DSCP 48, as ConnectX sends its CNPs by default, and not capable of ECN: nobody would lower a CNP's rate. */
    private static final int CLASS_SELECTOR_6 = 48 << 2;

    public Dcqcn {
        require(lineRate > 0, "the line's rate is " + lineRate + " Gb/s");
        require(minRate > 0 && minRate <= lineRate, "the lowest rate is " + minRate + " Gb/s");
        require(gain > 0 && gain < 1, "the gain is " + gain);
        require(alphaTimer > 0 && rateTimer > 0 && byteCounter > 0, "a timer or the byte counter is 0");
        require(burst > 0, "a burst is " + burst + " bytes");
    }

    private static void require(boolean condition, String complaint) {
        if (!condition) {
            throw new IllegalArgumentException("DCQCN: " + complaint);
        }
    }

    /**
     * The paper's values; the hyper step, which it leaves to QCN, is ten times the additive one as there (802.1Qau).
     *
     * @param gigabits the port's rate, Gb/s
     */
    public static Dcqcn at(double gigabits) {
        return new Dcqcn(
                gigabits,
                Math.min(0.01, gigabits),
                1.0 / 256,
                55 * MICROSECOND,
                55 * MICROSECOND,
                10_000_000,
                5,
                0.04,
                0.4,
                50 * MICROSECOND,
                CLASS_SELECTOR_6,
                16 << 10);
    }

    /** The same with other bursts. */
    public Dcqcn withBurst(int bytes) {
        return new Dcqcn(
                lineRate,
                minRate,
                gain,
                alphaTimer,
                rateTimer,
                byteCounter,
                fastRecoveries,
                additiveStep,
                hyperStep,
                cnpInterval,
                cnpTrafficClass,
                bytes);
    }
}
