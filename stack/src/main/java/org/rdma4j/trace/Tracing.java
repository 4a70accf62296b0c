package org.rdma4j.trace;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MutableCallSite;

/**
 * Whether any device of this process has a {@link Tracer}. The compiler takes the answer for a constant, so code that asks
 * costs nothing while there is none; the first tracer makes the JVM compile that code anew.
 */
public final class Tracing {

    private static final MutableCallSite SITE = new MutableCallSite(MethodHandles.constant(boolean.class, false));
    private static final MethodHandle ANSWER = SITE.dynamicInvoker();

    private static int tracers;

    private Tracing() {}

    /** True where a device is traced, perhaps another one. */
    public static boolean isOn() {
        try {
            return (boolean) ANSWER.invokeExact();
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** A device gets its first tracer. */
    public static synchronized void attached() {
        if (tracers++ == 0) {
            answer(true);
        }
    }

    /** A device has lost it. */
    public static synchronized void detached() {
        if (--tracers == 0) {
            answer(false);
        }
    }

    private static void answer(boolean isOn) {
        SITE.setTarget(MethodHandles.constant(boolean.class, isOn));
        MutableCallSite.syncAll(new MutableCallSite[] {SITE});
    }
}
