package org.rdma4j.tools.conform.suite;

import java.util.List;
import java.util.stream.Stream;
import org.rdma4j.tools.conform.check.Check;

/** All checks, in the catalogue's order. */
public final class Suite {

    /** To add a check, write it into its group's class; to add a group, name its class here. */
    private static final List<Check> CHECKS =
            Stream.of(
                            HdrChecks.all(),
                            CrcChecks.all(),
                            PsnChecks.all(),
                            AckChecks.all(),
                            RnrChecks.all(),
                            RdaChecks.all(),
                            ReadRequesterChecks.all(),
                            RtxChecks.all(),
                            OpsChecks.all(),
                            KeyChecks.all(),
                            LenChecks.all())
                    .flatMap(List::stream)
                    .toList();

    private Suite() {}

    public static List<Check> checks() {
        return CHECKS;
    }
}
