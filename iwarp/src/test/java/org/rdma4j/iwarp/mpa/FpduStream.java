package org.rdma4j.iwarp.mpa;

import java.io.ByteArrayOutputStream;
import java.util.zip.CRC32C;

/** The stream of FPDUs that RFC 5044 asks for, made word by word: what the fast ways of doing it are held against. */
public final class FpduStream {

    private final boolean markers;
    private final boolean crc;
    private final ByteArrayOutputStream stream = new ByteArrayOutputStream();

    public FpduStream(boolean markers, boolean crc) {
        this.markers = markers;
        this.crc = crc;
    }

    /** Appends the FPDU of a ULPDU. */
    public FpduStream add(byte[] ulpdu) {
        byte[] bare = new byte[ulpdu.length + 5 & ~3];
        bare[0] = (byte) (ulpdu.length >> 8);
        bare[1] = (byte) ulpdu.length;
        System.arraycopy(ulpdu, 0, bare, 2, ulpdu.length);
        ByteArrayOutputStream fpdu = new ByteArrayOutputStream();
        int start = stream.size();
        if (markerIsDue(start)) {
            fpdu.writeBytes(new byte[4]);
            start += 4;
        }
        for (int at = 0; at < bare.length; at += 4) {
            if (at > 0 && markerIsDue(stream.size() + fpdu.size())) {
                writeMarker(fpdu, stream.size() + fpdu.size() - start);
            }
            fpdu.write(bare, at, 4);
        }
        if (markerIsDue(stream.size() + fpdu.size())) {
            writeMarker(fpdu, stream.size() + fpdu.size() - start);
        }
        CRC32C sum = new CRC32C();
        sum.update(fpdu.toByteArray());
        int value = crc ? (int) sum.getValue() : 0;
        for (int shift = 0; shift < 32; shift += 8) {
            fpdu.write(value >> shift);
        }
        stream.writeBytes(fpdu.toByteArray());
        return this;
    }

    private boolean markerIsDue(int position) {
        return markers && position % 512 == 0;
    }

    private static void writeMarker(ByteArrayOutputStream fpdu, int distance) {
        fpdu.write(0);
        fpdu.write(0);
        fpdu.write(distance >> 8);
        fpdu.write(distance);
    }

    public byte[] bytes() {
        return stream.toByteArray();
    }
}
