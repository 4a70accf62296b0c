package org.rdma4j.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.rdma4j.link.tap.JsonTrace;
import org.rdma4j.trace.Outcome;
import org.rdma4j.trace.Rule;
import org.rdma4j.trace.Tracing;

/** What the why-trace says about whole stories, and that docs/trace.md says the same about it. */
class JsonTraceTest {

    private static final Path TABLE = Path.of("..", "docs", "trace.md");
    private static final Pattern ROW = Pattern.compile("\\| `(\\w+)` \\| ([^|]*) \\|.*");
    private static final Pattern FIELD = Pattern.compile("`(\\w+)`(\\??)");
    private static final Pattern MEMBER = Pattern.compile("\"(\\w+)\":(\"(?:[^\"\\\\]|\\\\.)*\"|-?\\d+|true|false)");

    private final Pair pair = new Pair();
    private final StringWriter text = new StringWriter();
    private final ProtectionDomain pd = pair.left.allocPd();
    private final QueuePair from = pd.createQp(QpInitAttributes.rc(pair.left.createCq(8)));
    private final ProtectionDomain otherPd = pair.right.allocPd();
    private final QueuePair to = otherPd.createQp(QpInitAttributes.rc(pair.right.createCq(8)));
    private final MemoryRegion source = pd.register(Arena.ofAuto().allocate(4096), Connecting.ACCESS);
    private final MemoryRegion target = otherPd.register(Arena.ofAuto().allocate(4096), Connecting.ACCESS);

    @AfterEach
    void close() {
        pair.close();
        assertFalse(Tracing.isOn(), "closed devices are traced no more");
    }

    private void trace(DeviceContext device, String name) {
        JsonTrace trace = new JsonTrace(text, name, device::rawClock);
        device.tap(trace);
        device.trace(trace);
    }

    private List<String> lines() {
        return text.toString().lines().toList();
    }

    private static Map<String, String> members(String line) {
        Map<String, String> members = new TreeMap<>();
        Matcher matcher = MEMBER.matcher(line);
        while (matcher.find()) {
            members.put(matcher.group(1), matcher.group(2).replace("\"", ""));
        }
        return members;
    }

    /** The events of a device, without those of timers, as {@code event} or {@code event:word}. */
    private List<String> story(String device, String word) {
        List<String> story = new ArrayList<>();
        for (String line : lines()) {
            Map<String, String> members = members(line);
            if (members.get("dev").equals(device) && !members.get("ev").startsWith("timer")) {
                story.add(members.get("ev") + (members.containsKey(word) ? ":" + members.get(word) : ""));
            }
        }
        return story;
    }

    @Test
    void tellsAWriteFromPostToCompletion() {
        Connecting.both(from, to);
        trace(pair.left, "left");
        trace(pair.right, "right");
        from.postSend(new SendWorkRequest()
                .reset(WrOpcode.RDMA_WRITE)
                .wrId(77)
                .sge(source, 0, 1500)
                .remote(target.address(), target.rKey())
                .signaled());
        pair.settle();
        assertEquals(
                List.of("post", "pkt_tx", "pkt_tx", "cqe", "pkt_rx:OK-ACK"), story("left", "rule"), text::toString);
        assertEquals(
                List.of("mem", "pkt_rx:accepted", "mem", "pkt_rx:accepted", "pkt_tx"),
                story("right", "verdict"),
                text::toString);
        String write = lines().stream()
                .filter(line -> line.contains("\"mem\""))
                .findFirst()
                .orElseThrow();
        assertEquals(String.format("0x%016x", target.address()), members(write).get("address"));
        assertEquals("1024", members(write).get("bytes"));
        String done = lines().stream()
                .filter(line -> line.contains("\"cqe\""))
                .findFirst()
                .orElseThrow();
        assertEquals("77", members(done).get("wr_id"));
        assertEquals("SUCCESS", members(done).get("status"));
    }

    @Test
    void tellsWhyARequestWasRefusedAndWhatBecameOfTheQueuePairs() {
        Connecting.both(from, to);
        trace(pair.left, "left");
        trace(pair.right, "right");
        from.postSend(new SendWorkRequest()
                .reset(WrOpcode.RDMA_WRITE)
                .sge(source, 0, 8)
                .remote(target.address(), target.rKey() ^ 1));
        pair.settle();
        assertEquals(List.of("pkt_rx:KEY-01", "qp_state", "pkt_tx"), story("right", "rule"), text::toString);
        assertTrue(story("left", "status").contains("cqe:REM_ACCESS_ERR"), text::toString);
        assertTrue(story("left", "to").contains("qp_state:ERR"), text::toString);
    }

    @Test
    void tellsTimersAndResends() {
        Connecting.both(from, to);
        trace(pair.left, "left");
        from.postSend(new SendWorkRequest().reset(WrOpcode.SEND));
        pair.settle();
        pair.passes(Duration.ofMillis(1));
        String all = text.toString();
        assertTrue(all.contains("\"ev\":\"timer_set\""), all);
        assertTrue(all.contains("\"ev\":\"timer_fired\""), all);
        assertTrue(all.contains("\"verdict\":\"heeded\",\"rule\":\"RNR-06\""), all);
    }

    @Test
    void theDocumentNamesEveryFieldOfEveryEvent() throws IOException {
        trace(pair.left, "left");
        trace(pair.right, "right");
        Connecting.both(from, to);
        to.postReceive(new ReceiveWorkRequest().reset(1).sge(target, 0, 64));
        from.postSend(
                new SendWorkRequest().reset(WrOpcode.SEND).sge(source, 0, 64).signaled());
        pair.settle();
        from.postSend(new SendWorkRequest().reset(WrOpcode.SEND));
        pair.settle();
        pair.passes(Duration.ofMillis(1));
        Map<String, Set<String>> seen = new TreeMap<>();
        for (String line : lines()) {
            Map<String, String> members = members(line);
            seen.computeIfAbsent(members.get("ev"), any -> new TreeSet<>()).addAll(members.keySet());
        }
        seen.values().forEach(fields -> fields.removeAll(Set.of("t", "dev", "ev")));
        Map<String, Set<String>> documented = new TreeMap<>();
        Map<String, Set<String>> needed = new TreeMap<>();
        for (String line : Files.readAllLines(TABLE)) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                Matcher field = FIELD.matcher(row.group(2));
                while (field.find()) {
                    documented
                            .computeIfAbsent(row.group(1), any -> new TreeSet<>())
                            .add(field.group(1));
                    if (field.group(2).isEmpty()) {
                        needed.computeIfAbsent(row.group(1), any -> new LinkedHashSet<>())
                                .add(field.group(1));
                    }
                }
            }
        }
        assertEquals(documented, seen);
        for (String line : lines()) {
            Map<String, String> members = members(line);
            assertTrue(members.keySet().containsAll(needed.get(members.get("ev"))), line);
        }
    }

    /** A rule's text names the NAK that it is answered by: its outcome must say the same. */
    @Test
    void aDecisionIsRefusedWhereItsTextNamesTheNak() {
        for (Rule rule : Rule.values()) {
            boolean isAnswered = rule.text().contains(": NAK ") || rule.text().contains(": RNR NAK");
            assertEquals(isAnswered, rule.outcome() == Outcome.REFUSED, rule::name);
        }
        assertEquals(Outcome.REFUSED, Rule.PSN_SEQUENCE.outcome());
        assertEquals(Outcome.DROPPED, Rule.PSN_SEQUENCE_WAITING.outcome());
        assertEquals(Outcome.DROPPED, Rule.RECOVERING.outcome());
        assertEquals(Outcome.HEEDED, Rule.NAK_RECEIVED.outcome());
    }

    @Test
    void aFullDiskEndsTheTraceAndNotTheDevice() {
        Connecting.both(from, to);
        JsonTrace trace = new JsonTrace(
                new Writer() {
                    @Override
                    public void write(char[] characters, int offset, int length) throws IOException {
                        throw new IOException("no space left");
                    }

                    @Override
                    public void flush() {}

                    @Override
                    public void close() {}
                },
                "left",
                pair.left::rawClock);
        pair.left.trace(trace);
        from.postSend(new SendWorkRequest().reset(WrOpcode.RDMA_WRITE).signaled());
        pair.settle();
        IOException lost = assertThrows(IOException.class, trace::flush);
        assertTrue(lost.getMessage().contains("events are missing from the trace: no space left"), lost.getMessage());
    }
}
