package org.rdma4j.tools;

import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.PortAttributes;

/** The path MTU that a user asks for. */
public final class PathMtu {

    private static final int SMALLEST = 256;
    private static final int LARGEST = 4096;

    private PathMtu() {}

    /** True for 256, 512, 1024, 2048 and 4096. */
    public static boolean exists(long bytes) {
        return bytes >= SMALLEST && bytes <= LARGEST && Long.bitCount(bytes) == 1;
    }

    /** @throws ToolException where the device's interface does not carry packets of this path MTU */
    public static void require(int bytes, DeviceContext device) {
        PortAttributes port = device.queryPort();
        if (bytes > port.activeMtu()) {
            throw new ToolException(
                    ExitStatus.FAILED,
                    "path MTU " + bytes + " does not fit " + device.name() + ": its interface's MTU of "
                            + port.interfaceMtu() + " carries a path MTU of at most " + port.activeMtu());
        }
    }
}
