package org.rdma4j.rocev2.syscall;

import java.lang.foreign.ValueLayout;

/** Whether {@link LibC} works here: a class of its own, because where it does not, LibC cannot even be loaded. */
public final class SyscallSupport {

    private SyscallSupport() {}

    /**
     * Null where system calls can be made; else the reason in words: another operating system, 32 bits, or native access
     * denied to this module.
     */
    public static String unsupportedReason() {
        String os = System.getProperty("os.name");
        if (!"Linux".equals(os)) {
            return "system calls are bound for Linux, and this is " + os;
        }
        if (ValueLayout.ADDRESS.byteSize() != 8) {
            return "system calls are bound for 64-bit Linux, and this is " + System.getProperty("os.arch");
        }
        try {
            return new LibC().close(-1) == -Errno.EBADF ? null : "the C library does not answer as expected";
        } catch (IllegalCallerException | LinkageError e) {
            Throwable reason = e.getCause() == null ? e : e.getCause();
            return "the C library cannot be called: " + reason.getMessage();
        }
    }
}
