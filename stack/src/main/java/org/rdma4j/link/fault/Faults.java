package org.rdma4j.link.fault;

import java.util.Locale;

/**
 * How bad a network is. Each fault strikes a packet on its own.
 *
 * @param loss probability that a packet is lost, 0 to 1
 * @param reorder probability that a packet is overtaken by the next one to three
 * @param duplicate probability that a packet arrives twice
 * @param corrupt probability that one bit of a packet is flipped on the way, so that its ICRC is wrong
 * @param delayNanos how long every packet takes, in nanoseconds
 * @param jitterNanos what is added to that at most; packets do not overtake each other by it
 */
public record Faults(double loss, double reorder, double duplicate, double corrupt, long delayNanos, long jitterNanos) {

    /** A perfect network. */
    public static final Faults NONE = new Faults(0, 0, 0, 0, 0, 0);

    public Faults {
        probability("loss", loss);
        probability("reorder", reorder);
        probability("duplicate", duplicate);
        probability("corrupt", corrupt);
        duration("delay", delayNanos);
        duration("jitter", jitterNanos);
    }

    public Faults withLoss(double probability) {
        return new Faults(probability, reorder, duplicate, corrupt, delayNanos, jitterNanos);
    }

    public Faults withReorder(double probability) {
        return new Faults(loss, probability, duplicate, corrupt, delayNanos, jitterNanos);
    }

    public Faults withDuplicate(double probability) {
        return new Faults(loss, reorder, probability, corrupt, delayNanos, jitterNanos);
    }

    public Faults withCorrupt(double probability) {
        return new Faults(loss, reorder, duplicate, probability, delayNanos, jitterNanos);
    }

    public Faults withDelay(long delay, long jitter) {
        return new Faults(loss, reorder, duplicate, corrupt, delay, jitter);
    }

    /**
     * Reads {@code "loss=5%,reorder=2%,delay=10us"}: probabilities in percent or as a fraction of one, times in ns, us,
     * ms or s. What is not named is 0; the empty text is {@link #NONE}.
     *
     * @throws IllegalArgumentException with a message for the user
     */
    public static Faults parse(String text) {
        Faults faults = NONE;
        for (String part : text.isBlank() ? new String[0] : text.split(",")) {
            String[] pair = part.strip().split("=", 2);
            if (pair.length < 2) {
                throw new IllegalArgumentException(
                        "'" + part.strip() + "' is no fault: write NAME=VALUE, as in loss=5%");
            }
            String value = pair[1].strip();
            faults = switch (pair[0].strip().toLowerCase(Locale.ROOT)) {
                case "loss" -> faults.withLoss(parseProbability(value));
                case "reorder" -> faults.withReorder(parseProbability(value));
                case "duplicate" -> faults.withDuplicate(parseProbability(value));
                case "corrupt" -> faults.withCorrupt(parseProbability(value));
                case "delay" -> faults.withDelay(parseNanos(value), faults.jitterNanos);
                case "jitter" -> faults.withDelay(faults.delayNanos, parseNanos(value));
                default ->
                    throw new IllegalArgumentException("no fault is called '" + pair[0].strip()
                            + "': there are loss, reorder, duplicate, corrupt, delay and jitter");
            };
        }
        return faults;
    }

    private static double parseProbability(String value) {
        boolean percent = value.endsWith("%");
        double number = number(percent ? value.substring(0, value.length() - 1) : value, value);
        return percent ? number / 100 : number;
    }

    private static long parseNanos(String value) {
        int digits = 0;
        while (digits < value.length() && "0123456789.".indexOf(value.charAt(digits)) >= 0) {
            digits++;
        }
        long unit = switch (value.substring(digits).strip()) {
            case "ns" -> 1L;
            case "us", "µs" -> 1_000L;
            case "ms" -> 1_000_000L;
            case "s" -> 1_000_000_000L;
            default -> throw new IllegalArgumentException("'" + value + "' is no time: write it as 10us, 1.5ms or 1s");
        };
        return Math.round(number(value.substring(0, digits), value) * unit);
    }

    private static double number(String digits, String value) {
        try {
            return Double.parseDouble(digits.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + value + "' is not a number", e);
        }
    }

    private static void probability(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(name + " is a probability, 0 to 1 or 0% to 100%, not " + value);
        }
    }

    private static void duration(String name, long nanos) {
        if (nanos < 0) {
            throw new IllegalArgumentException(name + " is a time, not negative: " + nanos + " ns");
        }
    }
}
