package org.rdma4j.tools.pingpong;

import java.util.function.BiConsumer;
import org.rdma4j.tools.DeviceArgument;
import org.rdma4j.tools.exchange.ExchangeChannel;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.Progress;

/** A client's device and its way to the server: where no device was named, the way decides which one. */
final class Client {

    private Client() {}

    /** Opens both, does {@code work}, and closes them. */
    static void run(DeviceArgument device, String host, int port, BiConsumer<DeviceContext, ExchangeChannel> work) {
        if (device.isGiven()) {
            try (DeviceArgument.OpenDevice opened = device.open(null, Progress.CALLER);
                    ExchangeChannel channel = ExchangeChannel.connect(host, port)) {
                work.accept(opened.context(), channel);
            }
        } else {
            try (ExchangeChannel channel = ExchangeChannel.connect(host, port);
                    DeviceArgument.OpenDevice opened = device.openTowards(channel.peerAddress(), Progress.CALLER)) {
                work.accept(opened.context(), channel);
            }
        }
    }
}
