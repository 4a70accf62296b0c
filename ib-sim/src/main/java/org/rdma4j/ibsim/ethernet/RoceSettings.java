package org.rdma4j.ibsim.ethernet;

import org.rdma4j.congestion.Dcqcn;
import org.rdma4j.ibsim.fabric.TopologyException;

/**
 * What a RoCE fabric is like.
 *
 * @param gigabits Gb/s of every link
 * @param cableDelay ps from one end of a cable to the other
 * @param portBuffer bytes of a switch's buffer for each of its ports; all ports share the sum
 * @param pfc the class of RoCE data has no loss: switches stop its senders
 * @param ecn switches mark packets
 * @param markFrom bytes of a queue from which on packets are marked now and then, Kmin
 * @param markAll bytes of a queue from which on each packet is marked, Kmax
 * @param markMost the part of the packets that is marked just below that, Pmax
 * @param dcqcn what hosts do about marks; {@code null} where they do nothing
 */
public record RoceSettings(
        double gigabits,
        long cableDelay,
        int portBuffer,
        boolean pfc,
        boolean ecn,
        int markFrom,
        int markAll,
        double markMost,
        Dcqcn dcqcn) {

    /** The class of RoCE data, and its DSCP: as NICs and switches are set up most often, three bits of the one are the other. */
    public static final int DATA_CLASS = 3;

    public static final int DATA_DSCP = 26;

    /** Two full frames, so that a rate's timer, which a host looks at now and then only, costs none of it. */
    private static final int BURST = 8 << 10;

    /** What a PFC frame takes of the wire. */
    private static final int MAC_CONTROL = 84;

    private static final int SMALLEST_BUFFER = 16 << 10;

    public RoceSettings {
        require(gigabits > 0 && gigabits <= 3200, "a link of " + gigabits + " Gb/s");
        require(
                portBuffer >= SMALLEST_BUFFER,
                "a buffer of " + portBuffer + " bytes a port; " + SMALLEST_BUFFER + " are needed at least");
        require(markFrom >= 0 && markAll > markFrom, "marks from " + markFrom + " bytes on and all from " + markAll);
        require(markMost >= 0 && markMost <= 1, "marks of " + markMost + " of the packets");
    }

    private static void require(boolean condition, String complaint) {
        if (!condition) {
            throw new TopologyException(complaint);
        }
    }

    /** 100 Gb/s, five metres of cable, 256 KB a port, marks as in the paper on DCQCN; neither PFC nor ECN. */
    public static RoceSettings defaults() {
        return new RoceSettings(100, 25_000, 256 << 10, false, false, 5_000, 200_000, 0.01, null);
    }

    public RoceSettings withGigabits(double value) {
        return new RoceSettings(
                value, cableDelay, portBuffer, pfc, ecn, markFrom, markAll, markMost, dcqcn == null ? null : at(value));
    }

    public RoceSettings withPortBuffer(int bytes) {
        return new RoceSettings(gigabits, cableDelay, bytes, pfc, ecn, markFrom, markAll, markMost, dcqcn);
    }

    public RoceSettings withPfc(boolean value) {
        return new RoceSettings(gigabits, cableDelay, portBuffer, value, ecn, markFrom, markAll, markMost, dcqcn);
    }

    public RoceSettings withEcn(boolean value) {
        return new RoceSettings(gigabits, cableDelay, portBuffer, pfc, value, markFrom, markAll, markMost, dcqcn);
    }

    /** Kmin, Kmax and Pmax. */
    public RoceSettings withMarks(int from, int all, double most) {
        return new RoceSettings(gigabits, cableDelay, portBuffer, pfc, ecn, from, all, most, dcqcn);
    }

    /** With the paper's values at the links' rate, or without. */
    public RoceSettings withDcqcn(boolean value) {
        return withDcqcn(value ? at(gigabits) : null);
    }

    public RoceSettings withDcqcn(Dcqcn value) {
        return new RoceSettings(gigabits, cableDelay, portBuffer, pfc, ecn, markFrom, markAll, markMost, value);
    }

    private static Dcqcn at(double rate) {
        return Dcqcn.at(rate).withBurst(BURST);
    }

    /**
     * What still comes once a port's share is used up: the frame that goes beyond it, what the sender sends while the
     * switch ends a frame that it has begun and says so, the frame that the sender has begun when it hears, and what is on
     * the cable in both directions or at the switch's door.
     */
    int headroom() {
        double onTheWay = (2.0 * cableDelay + EthernetSwitch.LATENCY) * gigabits / 8000;
        return (int) (3L * EthernetFrame.CAPACITY + Math.round(onTheWay) + 2L * MAC_CONTROL);
    }
}
