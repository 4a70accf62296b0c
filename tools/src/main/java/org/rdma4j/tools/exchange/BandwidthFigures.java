package org.rdma4j.tools.exchange;

import java.nio.ByteBuffer;

/**
 * What perftest's bandwidth tests tell their peer of the outcome: five numbers of eight bytes each, big-endian, each one
 * a step of its own.
 *
 * @param size bytes a message
 * @param iterations messages
 * @param peak the best stretch; in the sender's unit, as the next one: MiB/s unless both ends chose another
 * @param average the whole run
 * @param messageRate million messages a second
 */
public record BandwidthFigures(long size, long iterations, double peak, double average, double messageRate) {

    /** How many steps. */
    public static final int STEPS = 5;

    /** The bytes of one step. */
    public byte[] emit(int step) {
        long bits = switch (step) {
            case 0 -> size;
            case 1 -> iterations;
            case 2 -> Double.doubleToRawLongBits(peak);
            case 3 -> Double.doubleToRawLongBits(average);
            case 4 -> Double.doubleToRawLongBits(messageRate);
            default -> throw new IndexOutOfBoundsException(step);
        };
        return ByteBuffer.allocate(Long.BYTES).putLong(bits).array();
    }

    /** From the bytes of the five steps. */
    public static BandwidthFigures parse(byte[][] steps) {
        long[] bits = new long[STEPS];
        for (int step = 0; step < STEPS; step++) {
            bits[step] = ByteBuffer.wrap(steps[step]).getLong();
        }
        return new BandwidthFigures(
                bits[0],
                bits[1],
                Double.longBitsToDouble(bits[2]),
                Double.longBitsToDouble(bits[3]),
                Double.longBitsToDouble(bits[4]));
    }
}
