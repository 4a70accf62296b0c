package org.rdma4j.tools.conform.mutant.iwarp;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.Consumer;
import org.rdma4j.iwarp.wire.Fpdu;
import org.rdma4j.iwarp.wire.MpaFrame;

/**
 * Cuts one direction of a stream into units. With markers in use FPDUs are not told apart: whatever comes is bytes.
 */
final class StreamCutter {

    private final boolean request;
    private byte[] pending = {};
    private int pieces;
    private boolean framed;
    private boolean stranger;

    /** @param request its first bytes are to be a request */
    StreamCutter(boolean request) {
        this.request = request;
    }

    /** More of it. @param settings what both sides have said so far */
    void add(byte[] bytes, StreamSettings settings, Consumer<Unit> units) {
        int before = pending.length;
        pending = Arrays.copyOf(pending, before + bytes.length);
        System.arraycopy(bytes, 0, pending, before, bytes.length);
        pieces++;
        while (pending.length > 0) {
            int length = length(settings);
            if (length < 0 || length > pending.length) {
                return;
            }
            Unit.Kind kind = stranger ? Unit.Kind.RAW : framed ? Unit.Kind.FPDU : Unit.Kind.FRAME;
            if (kind == Unit.Kind.FPDU && settings.usesMarkers(request)) {
                kind = Unit.Kind.RAW;
            }
            byte[] unit = Arrays.copyOf(pending, length);
            pending = Arrays.copyOfRange(pending, length, pending.length);
            if (kind == Unit.Kind.FRAME) {
                framed = true;
                settings.said(request, MpaFrame.parse(MemorySegment.ofArray(unit), 0));
            }
            int count = pieces;
            pieces = pending.length > 0 ? 1 : 0;
            units.accept(new Unit(kind, unit, settings.usesCrc(), count));
        }
    }

    private int length(StreamSettings settings) {
        MemorySegment segment = MemorySegment.ofArray(pending);
        if (!framed) {
            boolean key = MpaFrame.startsWithKey(segment, 0, pending.length, true)
                    || MpaFrame.startsWithKey(segment, 0, pending.length, false);
            stranger |= !key;
            if (stranger) {
                return pending.length;
            }
            if (pending.length < MpaFrame.LENGTH) {
                return -1;
            }
            int data = MpaFrame.privateDataLength(segment, 0);
            stranger |= data > MpaFrame.MAX_PRIVATE_DATA;
            return stranger ? pending.length : MpaFrame.LENGTH + data;
        }
        if (stranger || settings.usesMarkers(request)) {
            return pending.length;
        }
        return pending.length < Fpdu.HEADER_LENGTH ? -1 : Fpdu.length(Fpdu.ulpduLength(segment, 0));
    }

    /** What is there and no unit: it goes on as it is where the stream ends. */
    byte[] rest() {
        byte[] rest = pending;
        pending = new byte[0];
        return rest;
    }
}
