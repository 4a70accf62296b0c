package org.rdma4j.tools.conform;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.rdma4j.tools.ToolException;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Verdict;
import org.rdma4j.tools.conform.suite.Suite;

/** What is known of devices fits the suite. */
class ProfileTest {

    private static final Map<String, Check> CHECKS =
            Suite.checks().stream().collect(Collectors.toMap(Check::id, Function.identity()));

    @Test
    void everyLineIsOfACheckAndTellsWhyWhereItIsNoPass() {
        for (String name : Profile.NAMES) {
            Profile.of(name).lines().forEach((id, line) -> {
                assertTrue(CHECKS.containsKey(id), () -> name + " has a line of " + id + ", which is no check");
                boolean silent = line.verdict() == Verdict.PASS || line.verdict() == Verdict.NOT_APPLICABLE;
                assertTrue(silent || !line.why().isEmpty(), () -> name + " does not say why " + id + " is no PASS");
            });
        }
    }

    @Test
    void whatIsLeftOpenIsOneOfItsOptions() {
        for (String name : Profile.NAMES) {
            Profile.of(name).lines().forEach((id, line) -> {
                if (line.verdict() == Verdict.AMBIGUOUS) {
                    assertTrue(
                            CHECKS.get(id).options().stream().anyMatch(option -> option.contains(line.observed())),
                            () -> name + ", " + id + ": \"" + line.observed() + "\" is none of "
                                    + CHECKS.get(id).options());
                }
            });
        }
    }

    @Test
    void unknownProfileIsNamed() {
        ToolException refusal = assertThrows(ToolException.class, () -> Profile.of("connectx"));
        assertEquals(
                "no profile is called \"connectx\": there are ideal, rxe, siw, connectx4, connectx5, ernic",
                refusal.getMessage());
    }
}
