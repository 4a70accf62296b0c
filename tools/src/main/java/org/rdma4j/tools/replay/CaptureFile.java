package org.rdma4j.tools.replay;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rdma4j.pcap.CaptureException;
import org.rdma4j.pcap.CaptureReader;
import org.rdma4j.pcap.CapturedPacket;

/** A capture that is read as often as wanted; of a damaged one, what can be read. */
record CaptureFile(Path path) {

    private static final int MOST_COMPLAINTS = 10;

    /** Takes one frame after the other. */
    @FunctionalInterface
    interface Visitor {

        /**
         * @param number its place in the file, 1 for the first frame
         * @return whether there is to be another one
         */
        boolean frame(int number, CapturedPacket captured) throws IOException;
    }

    /**
     * Reads it from its beginning.
     *
     * @return what is wrong with the file, a line each, and not more than a few; empty where nothing is
     */
    List<String> read(Visitor visitor) throws IOException {
        List<String> damage = new ArrayList<>();
        int untold = 0;
        try (CaptureReader reader = CaptureReader.open(path)) {
            boolean wanted = true;
            for (int number = 1; wanted; ) {
                CapturedPacket captured;
                try {
                    if (!reader.hasNext()) {
                        break;
                    }
                    captured = reader.next();
                } catch (CaptureException e) {
                    if (!e.passable()) {
                        throw e;
                    }
                    if (damage.size() < MOST_COMPLAINTS) {
                        damage.add(e.getMessage());
                    } else {
                        untold++;
                    }
                    continue;
                }
                wanted = visitor.frame(number++, captured);
            }
        } catch (CaptureException e) {
            damage.add(e.getMessage());
        }
        if (untold > 0) {
            damage.add(untold + " more damaged blocks");
        }
        return damage;
    }
}
