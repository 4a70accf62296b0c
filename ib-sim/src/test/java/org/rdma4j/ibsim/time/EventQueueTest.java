package org.rdma4j.ibsim.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class EventQueueTest {

    private final EventQueue queue = new EventQueue();
    private final List<Integer> happened = new ArrayList<>();

    private final class Note extends Event {
        private final int number;

        Note(int number) {
            this.number = number;
        }

        @Override
        protected void happen(long now) {
            happened.add(number);
        }
    }

    @Property(tries = 500)
    void eventsHappenByTimeAndThenByPlanning(
            @ForAll @Size(max = 60) List<@IntRange(max = 20) Integer> times,
            @ForAll @IntRange(max = 59) int cancelled) {
        List<Note> notes = new ArrayList<>();
        for (int at = 0; at < times.size(); at++) {
            notes.add(new Note(at));
            queue.plan(notes.get(at), queue.now() + times.get(at));
        }
        List<Integer> expected = new ArrayList<>();
        for (int at = 0; at < times.size(); at++) {
            if (at != cancelled) {
                expected.add(at);
            }
        }
        expected.sort(Comparator.comparing(times::get));
        if (cancelled < notes.size()) {
            queue.cancel(notes.get(cancelled));
        }
        while (queue.step()) {
            assertEquals(true, queue.next() >= queue.now());
        }
        assertEquals(expected, happened);
        happened.clear();
    }

    @Test
    void anEventIsPlannedOnceAtATime() {
        Note note = new Note(1);
        queue.plan(note, 5);
        assertThrows(IllegalStateException.class, () -> queue.plan(note, 6));
        queue.move(note, 7);
        queue.runUntil(6);
        assertEquals(List.of(), happened);
        queue.runUntil(7);
        assertEquals(List.of(1), happened);
    }

    @Property(tries = 50)
    void whatWasMovedOftenHappensOnceAndInItsTurn(
            @ForAll @Size(min = 5, max = 400) List<@IntRange(max = 9) Integer> moves) {
        Note[] notes = new Note[10];
        for (int at = 0; at < notes.length; at++) {
            notes[at] = new Note(at);
            queue.plan(notes[at], queue.now() + 1000 + at);
        }
        int last = 2000;
        List<Integer> expected = new ArrayList<>(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
        for (Integer moved : moves) { // each to the end, again and again: most entries are cancelled ones
            queue.move(notes[moved], queue.now() + last++);
            expected.removeIf(moved::equals);
            expected.add(moved);
        }
        assertFalse(queue.isEmpty());
        queue.runUntil(queue.now() + last);
        assertEquals(expected, happened);
        assertTrue(queue.isEmpty());
        happened.clear();
    }

    /** Against a list that is searched from its start, with times from the same moment to far beyond the near ones. */
    @Property(tries = 200)
    void whateverIsDoneTheNextOneIsTheFirst(@ForAll long seed) {
        EventQueue tried = new EventQueue();
        SplittableRandom random = new SplittableRandom(seed);
        List<Note> planned = new ArrayList<>();
        Note[] notes = new Note[40];
        for (int at = 0; at < notes.length; at++) {
            notes[at] = new Note(at);
        }
        for (int turn = 0; turn < 2000; turn++) {
            Note note = notes[random.nextInt(notes.length)];
            long time = tried.now() + random.nextLong(1L << random.nextInt(34));
            switch (random.nextInt(4)) {
                case 0, 1 -> {
                    boolean same = note.isPlanned() && note.time() == time;
                    tried.move(note, time);
                    if (!same) {
                        planned.remove(note);
                        planned.add(note);
                    }
                }
                case 2 -> {
                    tried.cancel(note);
                    planned.remove(note);
                }
                default -> {
                    Note first = planned.stream()
                            .min(Comparator.comparingLong(Note::time))
                            .orElse(null);
                    assertEquals(first == null ? Long.MAX_VALUE : first.time(), tried.next(), "seed " + seed);
                    assertEquals(first != null, tried.step());
                    if (first != null) {
                        assertEquals(first.number, happened.getLast(), "seed " + seed);
                        planned.remove(first);
                    }
                }
            }
        }
        happened.clear();
    }
}
