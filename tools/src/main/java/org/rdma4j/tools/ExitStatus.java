package org.rdma4j.tools;

/** What a command's exit status means; the same for all of them. */
public final class ExitStatus {

    public static final int SUCCESS = 0;
    /** The work failed: a check, a comparison, a peer, lost data. */
    public static final int FAILED = 1;
    /** Wrong usage: an option, a name or a value that does not exist. */
    public static final int USAGE = 2;
    /** Something is missing on this machine; the message names it and the remedy. */
    public static final int MISSING = 3;

    private ExitStatus() {}
}
