package org.rdma4j.tools.conform.suite;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.iwarp.suite.IwarpSuite;

/** All checks, in the catalogue's order. */
public final class Suite {

    private static final List<String> GROUPS = List.of(
            "HDR", "CRC", "PSN", "ACK", "RNR", "RDA", "RTX", "OPS", "QPS", "KEY", "LEN", "MEM", "UC", "UD", "CM", "ECN",
            "CNT", "ISO", "MPA", "DDP", "RDP", "TRM");

    /** To add a check, write it into its group's class; to add a group, name its class here. */
    private static final List<Check> CHECKS = Stream.of(
                    HdrChecks.all(),
                    FrameChecks.all(),
                    SentFrameChecks.all(),
                    CrcChecks.all(),
                    PsnChecks.all(),
                    AckChecks.all(),
                    RnrChecks.all(),
                    RdaChecks.all(),
                    ReadRequesterChecks.all(),
                    RtxChecks.all(),
                    OpsChecks.all(),
                    KeyChecks.all(),
                    LenChecks.all(),
                    UcChecks.all(),
                    UdChecks.all(),
                    EcnChecks.all(),
                    StateChecks.all(),
                    CounterChecks.all(),
                    IsoChecks.all(),
                    CmPassiveChecks.all(),
                    CmRefusalChecks.all(),
                    CmActiveChecks.all(),
                    CmUseChecks.all(),
                    SidrChecks.all(),
                    IwarpSuite.checks())
            .flatMap(List::stream)
            .sorted(Comparator.comparingInt((Check check) -> GROUPS.indexOf(check.group()))
                    .thenComparing(Check::id))
            .toList();

    private Suite() {}

    public static List<Check> checks() {
        return CHECKS;
    }
}
