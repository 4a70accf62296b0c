package org.rdma4j.tools.cm;

import org.rdma4j.cm.CmEventType;
import org.rdma4j.cm.ConnectionParameters;
import org.rdma4j.tools.CompletionFailure;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WcOpcode;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;

/** One connection of rping, either end: SENDs that say where, a READ there and a WRITE back. */
final class RpingConnection implements AutoCloseable {

    /** What rping asks for: one READ at a time each way, all retries. */
    private static final ConnectionParameters PARAMETERS =
            ConnectionParameters.defaults().withResources(1, 1).withRetries(7, 7);

    private final CmEnd end;
    private final RpingSettings settings;
    private final String peer;
    private final ProtectionDomain pd;
    private final Work work;
    private final RpingBuffers buffers;
    private final QueuePair qp;
    private final SendWorkRequest send = new SendWorkRequest();
    private final ReceiveWorkRequest receive = new ReceiveWorkRequest();
    private boolean heard;
    private boolean over;

    RpingConnection(CmEnd end, RpingSettings settings) {
        this.end = end;
        this.settings = settings;
        peer = CmAddress.text(end.id().peerAddress());
        DeviceContext device = end.id().device();
        pd = device.allocPd();
        work = new Work(device, 32);
        buffers = new RpingBuffers(pd, settings.size());
        qp = end.id().createQp(pd, QpInitAttributes.rc(work.queue()).withDepths(16, 2));
        listen();
    }

    private void listen() {
        qp.postReceive(receive.reset(0).sge(buffers.region(), buffers.in(), RpingBuffers.MESSAGE));
    }

    // Client.

    /** Connects, pings as often as is asked for, disconnects. */
    void ping() {
        end.id().connect(PARAMETERS);
        end.expect(CmEventType.ESTABLISHED);
        settings.debug("connected to %s", peer);
        for (int ping = 0; settings.count() == 0 || ping < settings.count(); ping++) {
            buffers.write(ping);
            advertise(buffers.source());
            goAhead("its READ");
            advertise(buffers.sink());
            goAhead("its WRITE");
            if (settings.validate() && buffers.difference() >= 0) {
                throw new ToolException(
                        ExitStatus.FAILED,
                        "data mismatch in ping " + ping + ": byte " + buffers.difference() + " came back changed");
            }
            if (settings.verbose()) {
                settings.print("ping data: %s", buffers.text(buffers.sink(), settings.size()));
            }
        }
        end.disconnect();
    }

    private void advertise(long buffer) {
        buffers.advertise(buffer);
        say();
    }

    private void goAhead(String what) {
        if (!hear()) {
            throw new ToolException(ExitStatus.FAILED, peer + " disconnected before " + what);
        }
    }

    // Server.

    /** Accepts, and answers until the peer disconnects. */
    void answer() {
        end.id().accept(PARAMETERS);
        end.expect(CmEventType.ESTABLISHED);
        settings.debug("accepted %s", peer);
        while (hear()) {
            int size = advertised();
            post(send.reset(WrOpcode.RDMA_READ)
                    .sge(buffers.region(), buffers.sink(), size)
                    .remote(buffers.peerAddress(), buffers.peerKey()));
            if (settings.verbose()) {
                settings.print("server ping data: %s", buffers.text(buffers.sink(), size));
            }
            say();
            if (!hear()) {
                break;
            }
            post(send.reset(WrOpcode.RDMA_WRITE)
                    .sge(buffers.region(), buffers.sink(), advertised())
                    .remote(buffers.peerAddress(), buffers.peerKey()));
            say();
        }
        settings.debug("%s has disconnected", peer);
    }

    private int advertised() {
        if (buffers.peerSize() > settings.size()) {
            throw new ToolException(
                    ExitStatus.FAILED,
                    peer + " advertises " + buffers.peerSize() + " bytes, -S here is " + settings.size());
        }
        return (int) buffers.peerSize();
    }

    // Both.

    /** A client may disconnect at the last message, before it has acknowledged that. */
    private void say() {
        qp.postSend(send.reset(WrOpcode.SEND)
                .sge(buffers.region(), buffers.out(), RpingBuffers.MESSAGE)
                .signaled());
        awaitPosted();
    }

    /** Reads or writes at the client, which must stay as long as that takes. */
    private void post(SendWorkRequest wr) {
        qp.postSend(wr.signaled());
        if (!awaitPosted()) {
            throw new ToolException(ExitStatus.FAILED, peer + " disconnected in the middle of a ping");
        }
    }

    /** Waits until what was posted is done; a message that comes meanwhile is kept. @return false where it is flushed */
    private boolean awaitPosted() {
        while (true) {
            WorkCompletion done = work.next();
            if (done == null) {
                over = true;
                return false;
            }
            if (!done.isSuccess()) {
                throw CompletionFailure.of(
                        "a request of rping", done, peer, end.id().device());
            }
            if (done.opcode() != WcOpcode.RECV) {
                return true;
            }
            heard(done);
        }
    }

    /** Waits for a message. @return false where the connection is over */
    private boolean hear() {
        while (!heard) {
            WorkCompletion done = over ? null : work.next();
            if (done == null) {
                return false;
            }
            if (!done.isSuccess()) {
                throw new ToolException(ExitStatus.FAILED, peer + ": " + done);
            }
            heard(done);
        }
        heard = false;
        if (!over) {
            listen();
        }
        return true;
    }

    private void heard(WorkCompletion done) {
        if (done.byteLength() != RpingBuffers.MESSAGE) {
            throw new ToolException(
                    ExitStatus.FAILED,
                    peer + " sent " + done.byteLength() + " bytes, rping's messages have " + RpingBuffers.MESSAGE);
        }
        heard = true;
    }

    @Override
    public void close() {
        end.close();
        buffers.close();
        work.close();
        pd.close();
    }
}
