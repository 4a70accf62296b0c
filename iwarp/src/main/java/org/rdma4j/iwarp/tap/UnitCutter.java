package org.rdma4j.iwarp.tap;

import java.lang.foreign.MemorySegment;
import org.rdma4j.iwarp.wire.Fpdu;
import org.rdma4j.iwarp.wire.Marker;
import org.rdma4j.iwarp.wire.MpaFrame;

/** Finds where the units of one direction end: the MPA frame, then FPDU after FPDU. */
final class UnitCutter {

    /** No length can be told yet. */
    static final int UNKNOWN = -1;

    private boolean framed;
    private boolean isStranger;
    private boolean asksForMarkers;
    private boolean markers;
    private int untilMarker;

    /**
     * Bytes of the unit that starts the bytes at hand, whether they are all there or not.
     *
     * @param length how many are there
     * @return {@link #UNKNOWN} where that is too few to say; all that is there where it is no MPA
     */
    int unit(MemorySegment segment, int length) {
        if (!framed) {
            isStranger |= !MpaFrame.startsWithKey(segment, 0, length, true)
                    && !MpaFrame.startsWithKey(segment, 0, length, false);
            if (isStranger) {
                return length;
            }
            return length < MpaFrame.LENGTH ? UNKNOWN : MpaFrame.LENGTH + MpaFrame.privateDataLength(segment, 0);
        }
        int front = markers && untilMarker == 0 ? Marker.LENGTH : 0;
        if (length < front + Fpdu.HEADER_LENGTH) {
            return UNKNOWN;
        }
        int bare = Fpdu.length(Fpdu.ulpduLength(segment, front));
        return markers ? bare + Marker.LENGTH * Marker.count(untilMarker, bare) : bare;
    }

    /** The unit is whole and leaves. */
    void passed(MemorySegment segment, int unit) {
        if (!framed && !isStranger) {
            framed = true;
            asksForMarkers = MpaFrame.markers(segment, 0);
        } else if (markers) {
            untilMarker = Math.floorMod(untilMarker - unit, Marker.INTERVAL);
        }
    }

    /** The sender of this direction wants markers in the other one. */
    boolean asksForMarkers() {
        return asksForMarkers;
    }

    /** The other direction's frame asks for markers, or not. */
    void useMarkers(boolean used) {
        markers = used;
    }
}
