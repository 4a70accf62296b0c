package org.rdma4j.tools.lab;

/**
 * How a command ended.
 *
 * @param command as the test gave it
 * @param output what it wrote to stdout; of a command in a guest, to stderr as well
 * @param errors what it wrote to stderr
 */
public record LabResult(String command, int status, String output, String errors) {

    /** This result, if the status is 0; else the test fails and shows what the command said. */
    public LabResult succeeded() {
        return endedWith(0);
    }

    /** This result, if that is the status; else the test fails and shows what the command said. */
    public LabResult endedWith(int expected) {
        if (status != expected) {
            throw new AssertionError("status " + status + ", not " + expected + ", of " + this);
        }
        return this;
    }

    /** The command and all that it said. */
    @Override
    public String toString() {
        return "`" + command + "`\n--- stdout\n" + output + "--- stderr\n" + errors + "---";
    }
}
