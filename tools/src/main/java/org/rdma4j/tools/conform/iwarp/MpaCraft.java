package org.rdma4j.tools.conform.iwarp;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.rdma4j.iwarp.wire.EnhancedData;
import org.rdma4j.iwarp.wire.MpaFrame;

/** An MPA request or reply to be sent, right unless it is told to be wrong: every method changes one thing. */
public final class MpaCraft {

    private static final int UNSAID = -1;
    private static final int RESERVED = 0x0F;

    private final boolean request;
    private boolean markers;
    private boolean crc;
    private boolean rejected;
    private boolean enhanced;
    private int reserved;
    private int revision;
    private EnhancedData data;
    private byte[] privateData = {};
    private int length = UNSAID;
    private byte[] key;

    private MpaCraft(boolean request, boolean enhanced, boolean crc) {
        this.request = request;
        this.crc = crc;
        this.enhanced = enhanced;
        this.revision = enhanced ? 2 : 1;
    }

    static MpaCraft request(boolean enhanced, boolean crc, int ird, int ord) {
        return new MpaCraft(true, enhanced, crc).depths(ird, ord);
    }

    static MpaCraft reply(boolean enhanced, boolean crc, int ird, int ord) {
        return new MpaCraft(false, enhanced, crc).depths(ird, ord);
    }

    /** IRD and ORD; an enhanced frame only carries them. */
    public MpaCraft depths(int ird, int ord) {
        return data(new EnhancedData(false, false, ird, false, false, ord));
    }

    public MpaCraft data(EnhancedData value) {
        data = value;
        return this;
    }

    public MpaCraft markers(boolean value) {
        markers = value;
        return this;
    }

    public MpaCraft crc(boolean value) {
        crc = value;
        return this;
    }

    public MpaCraft rejected() {
        rejected = true;
        return this;
    }

    /** The S flag, and with it whether IRD and ORD are there. */
    public MpaCraft enhanced(boolean value) {
        enhanced = value;
        return this;
    }

    /** The S flag without the data that it promises. */
    public MpaCraft enhancedInNameOnly() {
        enhanced = true;
        data = null;
        return this;
    }

    public MpaCraft reserved() {
        reserved = RESERVED;
        return this;
    }

    public MpaCraft revision(int value) {
        revision = value;
        return this;
    }

    /** The application's bytes. */
    public MpaCraft privateData(byte[] bytes) {
        privateData = bytes;
        return this;
    }

    /** Bytes of private data that it promises, in place of those that it has. */
    public MpaCraft promises(int bytes) {
        length = bytes;
        return this;
    }

    /** Sixteen other bytes in place of the key. */
    public MpaCraft key(byte[] bytes) {
        key = Arrays.copyOf(bytes, MpaFrame.KEY_LENGTH);
        return this;
    }

    boolean wantsMarkers() {
        return markers;
    }

    boolean wantsCrc() {
        return crc;
    }

    public byte[] bytes() {
        boolean hasData = enhanced && data != null;
        int own = hasData ? EnhancedData.LENGTH : 0;
        int real = own + privateData.length;
        byte[] bytes = new byte[MpaFrame.LENGTH + real];
        MemorySegment frame = MemorySegment.ofArray(bytes);
        new MpaFrame(request, markers, crc, rejected, enhanced, reserved, revision, length == UNSAID ? real : length)
                .emit(frame, 0);
        if (hasData) {
            data.emit(frame, MpaFrame.LENGTH);
        }
        System.arraycopy(privateData, 0, bytes, MpaFrame.LENGTH + own, privateData.length);
        if (key != null) {
            System.arraycopy(key, 0, bytes, 0, MpaFrame.KEY_LENGTH);
        }
        return bytes;
    }
}
