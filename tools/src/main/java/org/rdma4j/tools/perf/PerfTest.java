package org.rdma4j.tools.perf;

import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine;

/** perftest's tests: an operation, and whether its bandwidth or its latency is measured. */
enum PerfTest {
    SEND_BW(Operation.SEND, false),
    SEND_LAT(Operation.SEND, true),
    WRITE_BW(Operation.WRITE, false),
    WRITE_LAT(Operation.WRITE, true),
    READ_BW(Operation.READ, false),
    READ_LAT(Operation.READ, true),
    ATOMIC_BW(Operation.ATOMIC, false),
    ATOMIC_LAT(Operation.ATOMIC, true);

    /** What is posted. */
    enum Operation {
        SEND("Send"),
        WRITE("RDMA_Write"),
        READ("RDMA_Read"),
        ATOMIC("Atomic");

        /** perftest's name for it. */
        final String title;

        Operation(String title) {
            this.title = title;
        }

        /** True where the responder holds resources for each one: READs and atomics. */
        boolean isAnswered() {
            return this == READ || this == ATOMIC;
        }
    }

    final Operation operation;
    final boolean latency;

    PerfTest(Operation operation, boolean latency) {
        this.operation = operation;
        this.latency = latency;
    }

    /** As the user writes it: {@code send-bw}. */
    @Override
    public String toString() {
        return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }

    /** Reads {@code send-bw}; perftest's own {@code ib_send_bw} too. */
    static final class Converter implements CommandLine.ITypeConverter<PerfTest> {
        @Override
        public PerfTest convert(String text) {
            String name = text.replace('_', '-').replaceFirst("^ib-", "");
            return Arrays.stream(values())
                    .filter(test -> test.toString().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new CommandLine.TypeConversionException(
                            "no test is called '" + text + "': there are " + names()));
        }
    }

    private static String names() {
        return Arrays.stream(values()).map(PerfTest::toString).collect(Collectors.joining(", "));
    }
}
