package org.rdma4j.tools;

/** Ends a command: one line for the user, which names the thing and the value, and the exit status. No stack trace is shown. */
public final class ToolException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int exitStatus;

    /** See {@link ExitStatus} for the values. */
    public ToolException(int exitStatus, String message) {
        this(exitStatus, message, null);
    }

    public ToolException(int exitStatus, String message, Throwable cause) {
        super(message, cause);
        this.exitStatus = exitStatus;
    }

    /** One of {@link ExitStatus}. */
    public int exitStatus() {
        return exitStatus;
    }
}
