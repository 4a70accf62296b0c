package org.rdma4j.tools.demo;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.rdma4j.iwarp.IwarpListener;
import org.rdma4j.link.FrameTap;
import org.rdma4j.tools.IwarpWiring;
import org.rdma4j.trace.Ladder;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceOptions;
import org.rdma4j.verbs.Progress;

/** iWARP: RDMAP over DDP over MPA over TCP, with the CRC. */
final class IwarpWires implements Wires {

    private static final DeviceOptions OPTIONS = DeviceOptions.defaults().withProgress(Progress.CALLER);

    @Override
    public DeviceContext openA(String name) {
        return DeviceContext.open(name, OPTIONS);
    }

    @Override
    public DeviceContext openB(String name) {
        return DeviceContext.open(name, OPTIONS);
    }

    @Override
    public FrameTap drawing(Ladder ladder) {
        return new IwarpLadderTap(ladder);
    }

    @Override
    public void connect(Stage stage) {
        IwarpWiring serving = stage.b.wiring();
        IwarpWiring asking = stage.a.wiring();
        InetAddress address = stage.b.device.queryGid(0).toAddress();
        try (IwarpListener listener = serving.listen(new InetSocketAddress(address, 0))) {
            asking.connect(listener.local());
            stage.until(() -> asking.isDone() && serving.isDone(), "the connection");
        }
    }

    @Override
    public String between() {
        return "A TCP connection between them.";
    }

    @Override
    public List<String> words() {
        return List.of(
                "A asked for a TCP connection, and in it for an iWARP one (MPA Request); B agreed (MPA Reply). From there on",
                "the stream holds FPDUs: each one piece of a message, with its length in front and a CRC behind it, so",
                "that the receiver knows without the application where its bytes belong (DDP) and what to do (RDMAP).",
                "TCP sees to it that nothing is lost or overtaken: no acknowledgements, no retries are to be seen here.",
                "A program does the same as over InfiniBand or RoCE: it posts work and polls for completions.");
    }

    @Override
    public List<Lesson> lessons() {
        return new IwarpLessons(this).all();
    }
}
