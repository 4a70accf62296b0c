package org.rdma4j.tools.conform.check;

/**
 * What the peer's requester is asked to do: as many messages at once, each to the same place.
 *
 * @param size bytes of each
 * @param count how many are outstanding at a time
 */
public record Work(Op op, int size, int count) {

    /** An operation, and the program of perftest that does it. */
    public enum Op {
        WRITE("ib_write_bw"),
        READ("ib_read_bw"),
        SEND("ib_send_bw"),
        FETCH_ADD("ib_atomic_bw"),
        COMPARE_SWAP("ib_atomic_bw -A CMP_AND_SWAP");

        private final String tool;

        Op(String tool) {
            this.tool = tool;
        }

        public String tool() {
            return tool;
        }
    }

    public Work {
        if (op == Op.FETCH_ADD || op == Op.COMPARE_SWAP) {
            size = Long.BYTES;
        }
    }

    @Override
    public String toString() {
        return count + " × " + op + " of " + size + " bytes";
    }
}
