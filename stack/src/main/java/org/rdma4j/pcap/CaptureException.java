package org.rdma4j.pcap;

import java.io.Serial;

/** A capture file is damaged, breaks off, or is none. The packets in front of the damage have been given out. */
public final class CaptureException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    private final long offset;
    private final boolean passable;

    CaptureException(String file, long offset, String problem, Throwable cause) {
        this(file, offset, problem, false, cause);
    }

    CaptureException(String file, long offset, String problem, boolean passable, Throwable cause) {
        super(file + ": at byte " + offset + ": " + problem, cause);
        this.offset = offset;
        this.passable = passable;
    }

    /** True where the damage is within one block whose length is sound: whoever asks for more gets the packets behind it. */
    public boolean passable() {
        return passable;
    }

    /** Where in the file it stands; in a compressed one, where in what comes out. */
    public long offset() {
        return offset;
    }
}
