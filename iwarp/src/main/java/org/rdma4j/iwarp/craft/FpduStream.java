package org.rdma4j.iwarp.craft;

import java.io.ByteArrayOutputStream;
import java.util.zip.CRC32C;

/**
 * The stream of FPDUs that RFC 5044 asks for, made word by word: what the fast ways of doing it are held against, and what
 * a peer played by hand sends.
 */
public final class FpduStream {

    /**
     * What is wrong with a FPDU. It is damaged before its CRC is made, so that only that is found which shall be.
     *
     * @param padByte what its pad is filled with
     * @param crcXor in which bits its CRC differs from the right one
     * @param markerXor in which bits the pointers of its markers do
     */
    public record Flaw(int padByte, int crcXor, int markerXor) {

        public static final Flaw NONE = new Flaw(0, 0, 0);

        public static Flaw pad(int value) {
            return new Flaw(value, 0, 0);
        }

        public static Flaw crc(int bits) {
            return new Flaw(0, bits, 0);
        }

        public static Flaw marker(int bits) {
            return new Flaw(0, 0, bits);
        }
    }

    private static final int WORD = 4;
    private static final int INTERVAL = 512;

    private final boolean markers;
    private final boolean crc;
    private final ByteArrayOutputStream stream = new ByteArrayOutputStream();

    public FpduStream(boolean markers, boolean crc) {
        this.markers = markers;
        this.crc = crc;
    }

    /** Appends the FPDU of a ULPDU. */
    public FpduStream add(byte[] ulpdu) {
        add(ulpdu, Flaw.NONE);
        return this;
    }

    /** Appends a FPDU that is not as it should be. @return its bytes, with the markers in it */
    public byte[] add(byte[] ulpdu, Flaw flaw) {
        byte[] bare = new byte[ulpdu.length + 5 & ~3];
        bare[0] = (byte) (ulpdu.length >> 8);
        bare[1] = (byte) ulpdu.length;
        System.arraycopy(ulpdu, 0, bare, 2, ulpdu.length);
        for (int at = 2 + ulpdu.length; at < bare.length; at++) {
            bare[at] = (byte) flaw.padByte;
        }
        ByteArrayOutputStream fpdu = new ByteArrayOutputStream();
        int start = stream.size();
        if (markerIsDue(start)) {
            writeMarker(fpdu, flaw.markerXor);
            start += WORD;
        }
        for (int at = 0; at < bare.length; at += WORD) {
            if (at > 0 && markerIsDue(stream.size() + fpdu.size())) {
                writeMarker(fpdu, stream.size() + fpdu.size() - start ^ flaw.markerXor);
            }
            fpdu.write(bare, at, WORD);
        }
        if (markerIsDue(stream.size() + fpdu.size())) {
            writeMarker(fpdu, stream.size() + fpdu.size() - start ^ flaw.markerXor);
        }
        CRC32C sum = new CRC32C();
        sum.update(fpdu.toByteArray());
        int value = (crc ? (int) sum.getValue() : 0) ^ flaw.crcXor;
        for (int shift = 0; shift < 32; shift += 8) {
            fpdu.write(value >> shift);
        }
        stream.writeBytes(fpdu.toByteArray());
        return fpdu.toByteArray();
    }

    private boolean markerIsDue(int position) {
        return markers && position % INTERVAL == 0;
    }

    private static void writeMarker(ByteArrayOutputStream fpdu, int distance) {
        fpdu.write(0);
        fpdu.write(0);
        fpdu.write(distance >> 8);
        fpdu.write(distance);
    }

    /** All so far. */
    public byte[] bytes() {
        return stream.toByteArray();
    }
}
