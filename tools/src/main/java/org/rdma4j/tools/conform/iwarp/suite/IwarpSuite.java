package org.rdma4j.tools.conform.iwarp.suite;

import java.util.List;
import java.util.stream.Stream;
import org.rdma4j.tools.conform.check.Check;

/** All checks of iWARP. */
public final class IwarpSuite {

    private IwarpSuite() {}

    public static List<Check> checks() {
        return Stream.of(
                        MpaChecks.all(),
                        FpduChecks.all(),
                        DdpChecks.all(),
                        RdmapChecks.all(),
                        ReadSinkChecks.all(),
                        TerminateChecks.all())
                .flatMap(List::stream)
                .toList();
    }
}
