package org.rdma4j.tools.conform.peer;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An ordinary program at the peer's machine. */
public interface Program extends AutoCloseable {

    /** What it has said so far. */
    String output();

    boolean isAlive();

    @Override
    void close();

    /** The number of the status that a completion failed with, which ends every program of perftest; {@code null}: none. */
    default String failure() {
        Matcher matcher = Pattern.compile("Failed status (\\d+)").matcher(output());
        return matcher.find() ? matcher.group(1) : null;
    }

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
