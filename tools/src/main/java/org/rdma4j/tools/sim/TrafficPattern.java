package org.rdma4j.tools.sim;

import org.rdma4j.ibsim.fabric.TopologyException;
import org.rdma4j.ibsim.traffic.Traffic;
import org.rdma4j.tools.ByteSize;
import picocli.CommandLine;

/**
 * {@code all-to-all:1M}, {@code incast:64K}, {@code victim:64K}, {@code shift:2,1M}, {@code ring-all-reduce:64M}: what hosts
 * do.
 */
record TrafficPattern(String name, int number, long bytes) {

    static final String FORMS = "all-to-all:BYTES, incast:BYTES, victim:BYTES, shift:DISTANCE,BYTES, "
            + "neighbours:COUNT,BYTES, ring-all-reduce:BYTES";

    /** @throws TopologyException where the text is none of {@link #FORMS} */
    static TrafficPattern of(String text) {
        int colon = text.indexOf(':');
        int comma = text.indexOf(',');
        String name = colon < 0 ? text : text.substring(0, colon);
        boolean numbered = name.equals("shift") || name.equals("neighbours");
        try {
            if (colon < 0 || numbered == comma < 0) {
                throw unknown(text);
            }
            int number = numbered ? Integer.parseInt(text.substring(colon + 1, comma)) : 0;
            long bytes = new ByteSize().convert(text.substring((numbered ? comma : colon) + 1));
            if (bytes <= 0 || !name.matches("all-to-all|incast|victim|shift|neighbours|ring-all-reduce")) {
                throw unknown(text);
            }
            return new TrafficPattern(name, number, bytes);
        } catch (NumberFormatException | CommandLine.TypeConversionException e) {
            throw unknown(text);
        }
    }

    private static TopologyException unknown(String text) {
        return new TopologyException("\"" + text + "\" is no traffic; there are " + FORMS);
    }

    void start(Traffic traffic) {
        switch (name) {
            case "all-to-all" -> traffic.allToAll(bytes);
            case "incast" -> traffic.incast(bytes);
            case "victim" -> traffic.victim(bytes);
            case "shift" -> traffic.shift(number, bytes);
            case "neighbours" -> traffic.neighbours(number, bytes);
            case "ring-all-reduce" -> traffic.ringAllReduce(bytes);
            default -> throw unknown(name);
        }
    }
}
