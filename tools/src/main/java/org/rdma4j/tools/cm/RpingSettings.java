package org.rdma4j.tools.cm;

import java.io.PrintWriter;

/**
 * What rping is asked for.
 *
 * @param size bytes a ping
 * @param count pings, 0: without end
 * @param verbose print what is received
 * @param validate compare it
 * @param debugs tell each step
 * @param out where to
 */
record RpingSettings(int size, int count, boolean verbose, boolean validate, boolean debugs, PrintWriter out) {

    void print(String format, Object... arguments) {
        synchronized (out) {
            out.println(String.format(format, arguments));
            out.flush();
        }
    }

    void debug(String format, Object... arguments) {
        if (debugs) {
            print(format, arguments);
        }
    }
}
