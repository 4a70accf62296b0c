package org.rdma4j.conformance;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/** Adds the packets of the run to the message of a test that failed. */
final class LadderOnFailure implements TestExecutionExceptionHandler {

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) {
        RcScene scene = (RcScene) context.getRequiredTestInstance();
        throw new AssertionError(failure.getMessage() + "\n\nThe packets so far:\n" + scene.ladder + "\n", failure);
    }
}
