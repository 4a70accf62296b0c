package org.rdma4j.tools.lab;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test class that talks to real Linux RDMA peers in the lab's guests; its methods may take a {@link Lab}.
 *
 * <p>Where the lab cannot run, the tests are skipped and say why. The environment variable {@code RDMA4J_LAB} changes that: with
 * {@code required} they fail instead, with {@code off} they are always skipped. {@code mvn verify -Dgroups=lab} runs only these,
 * {@code -DexcludedGroups=lab} all but these.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("lab")
@ExtendWith(LabExtension.class)
public @interface LabTest {

    /** How many guests the tests need: they are numbered from 1. */
    int guests() default 1;
}
