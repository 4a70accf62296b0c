package org.rdma4j.tools.lab;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Brings the lab up before a {@link LabTest}, hands it to the methods, and ends after each method what that one left running. */
final class LabExtension implements ExecutionCondition, ParameterResolver, AfterEachCallback {

    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(LabExtension.class);

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        String wish = System.getenv().getOrDefault("RDMA4J_LAB", "");
        if (wish.equals("off")) {
            return ConditionEvaluationResult.disabled("RDMA4J_LAB=off");
        }
        int guests = AnnotationSupport.findAnnotation(context.getRequiredTestClass(), LabTest.class)
                .orElseThrow()
                .guests();
        String missing = LabSession.up(guests);
        if (missing == null) {
            return ConditionEvaluationResult.enabled("the lab is up");
        }
        if (wish.equals("required")) {
            throw new AssertionError("RDMA4J_LAB=required, but the lab cannot run here: " + missing);
        }
        return ConditionEvaluationResult.disabled(missing);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Lab.class;
    }

    @Override
    public Lab resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getStore(NAMESPACE).getOrComputeIfAbsent(Lab.class, type -> new Lab(), Lab.class);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Lab lab = context.getStore(NAMESPACE).get(Lab.class, Lab.class);
        if (lab != null) {
            lab.close();
        }
    }
}
