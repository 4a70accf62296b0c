package org.rdma4j.ibsim.door;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Needs OpenSM, the InfiniBand diagnostics and ibsim's library. Where they are not, such tests are skipped and say so; with
 * {@code RDMA4J_LAB=required} they fail, with {@code RDMA4J_LAB=off} they are skipped anyway.
 */
@Tag("lab")
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ManagementTools.Condition.class)
@interface ManagementTools {

    /** What Debian's ibsim-utils puts where. */
    Path LIBRARY = Path.of("/usr/lib/x86_64-linux-gnu/umad2sim/libumad2sim.so");

    /** Looks for the programs. */
    final class Condition implements ExecutionCondition {

        private static final String REMEDY = "apt-get install opensm infiniband-diags ibsim-utils";

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            String wish = System.getenv().getOrDefault("RDMA4J_LAB", "");
            if (wish.equals("off")) {
                return ConditionEvaluationResult.disabled("RDMA4J_LAB=off");
            }
            boolean there = Stream.of("/usr/sbin/opensm", "/usr/sbin/ibnetdiscover", "/usr/bin/ibsim")
                            .allMatch(program -> Files.isExecutable(Path.of(program)))
                    && Files.exists(LIBRARY);
            if (there) {
                return ConditionEvaluationResult.enabled("OpenSM is here");
            }
            if (wish.equals("required")) {
                throw new AssertionError("RDMA4J_LAB=required, but OpenSM or its tools are missing: " + REMEDY);
            }
            return ConditionEvaluationResult.disabled("OpenSM or its tools are missing: " + REMEDY);
        }
    }
}
