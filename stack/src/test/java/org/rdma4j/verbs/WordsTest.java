package org.rdma4j.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What statuses, events and states are called: each one something, and no two the same. */
class WordsTest {

    private static void check(Stream<String> words, int count) {
        List<String> all = words.toList();
        assertEquals(count, all.size());
        assertEquals(count, new HashSet<>(all).size(), () -> "two of these are the same: " + all);
        assertTrue(all.stream().noneMatch(String::isBlank), all::toString);
    }

    @Test
    void statuses() {
        check(Stream.of(WcStatus.values()).map(WcStatus::text), 24);
        assertTrue(WcStatus.RNR_RETRY_EXC_ERR.text().startsWith("RNR retries exceeded"));
    }

    @Test
    void events() {
        check(Stream.of(AsyncEventType.values()).map(AsyncEventType::text), 21);
    }

    @Test
    void portStates() {
        check(Stream.of(PortState.values()).map(PortState::text), 6);
    }
}
