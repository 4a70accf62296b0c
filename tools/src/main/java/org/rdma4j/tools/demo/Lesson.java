package org.rdma4j.tools.demo;

import java.util.List;

/**
 * An operation, played and explained.
 *
 * @param title the operation's name
 * @param words what a learner should know, in lines
 * @param play does it, waits for its completions, and notes down in {@link DemoEnd#expected} what memory must hold then
 */
record Lesson(String title, List<String> words, Play play) {

    /** What happens. */
    @FunctionalInterface
    interface Play {
        void on(Stage stage);
    }

    static Lesson of(String title, Play play, String... words) {
        return new Lesson(title, List.of(words), play);
    }
}
