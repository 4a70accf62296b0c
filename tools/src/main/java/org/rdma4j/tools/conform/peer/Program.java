package org.rdma4j.tools.conform.peer;

/** An ordinary program at the peer's machine. */
public interface Program extends AutoCloseable {

    /** What it has said so far. */
    String output();

    boolean isAlive();

    @Override
    void close();

    /** One that a person started: nothing is known of it. */
    Program ELSEWHERE = new Program() {
        @Override
        public String output() {
            return "";
        }

        @Override
        public boolean isAlive() {
            return true;
        }

        @Override
        public void close() {
            // Its owner ends it.
        }
    };
}
