package org.rdma4j.pcap;

import java.io.Serial;

/** A capture file is damaged, breaks off, or is none. The packets in front of the damage have been given out. */
public final class CaptureException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    private final long offset;

    CaptureException(String file, long offset, String problem, Throwable cause) {
        super(file + ": at byte " + offset + ": " + problem, cause);
        this.offset = offset;
    }

    /** Where in the file it stands; in a compressed one, where in what comes out. */
    public long offset() {
        return offset;
    }
}
