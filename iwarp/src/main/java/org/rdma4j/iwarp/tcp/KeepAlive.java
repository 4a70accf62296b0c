package org.rdma4j.iwarp.tcp;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;

/**
 * When TCP asks a silent peer whether it is still there.
 *
 * @param seconds of silence before the first question; 0: it never asks; {@link #SYSTEM}: whenever the system does, which
 *     is after two hours mostly
 */
record KeepAlive(int seconds) {

    static final int SYSTEM = -1;

    /** What Linux takes. */
    static final int MOST = 32_767;

    private static final int QUESTIONS = 3;

    /** Without an answer to three questions, a third of the silence apart, the connection is over. */
    void applyTo(SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, seconds != 0);
        if (seconds > 0) {
            channel.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, seconds);
            channel.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, Math.max(1, seconds / QUESTIONS));
            channel.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, QUESTIONS);
        }
    }
}
