package org.rdma4j.tools.perf;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.rdma4j.cm.CmId;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.tools.CompletionFailure;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.PollingPace;
import org.rdma4j.tools.ToolException;
import org.rdma4j.tools.exchange.Conversation;
import org.rdma4j.verbs.CompletionQueue;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WcOpcode;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.IpText;

/** A conversation of SENDs over a connection of its own: each write is one message, each read takes one. */
final class CmConversation implements Conversation {

    private static final int LONGEST = 128;

    private final CmId id;
    private final DeviceContext device;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory;
    private final ProtectionDomain pd;
    private final MemoryRegion region;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final WorkCompletion completion = new WorkCompletion();
    private BooleanSupplier drive;
    private byte[] received;
    private boolean sent;
    private boolean over;

    /** @param meet makes the connection, once a receive is posted */
    CmConversation(CmId id, Runnable meet) {
        this.id = id;
        device = id.device();
        drive = new PollingPace(device);
        memory = arena.allocate(2 * LONGEST, 64);
        pd = device.allocPd();
        region = pd.register(memory, AccessFlags.LOCAL_WRITE);
        cq = device.createCq(4);
        qp = id.createQp(pd, QpInitAttributes.rc(cq).withDepths(1, 1));
        postReceive();
        meet.run();
    }

    private void postReceive() {
        qp.postReceive(new ReceiveWorkRequest().reset(0).sge(region, LONGEST, LONGEST));
    }

    @Override
    public void driveWhileWaiting(BooleanSupplier work) {
        drive = work;
    }

    @Override
    public void write(byte[] bytes) {
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 0, bytes.length);
        sent = false;
        qp.postSend(new SendWorkRequest()
                .reset(WrOpcode.SEND)
                .sge(region, 0, bytes.length)
                .signaled());
        while (!sent && !over) {
            poll("what was to be said");
        }
    }

    @Override
    public byte[] read(int length, String what, Duration limit) {
        long start = System.nanoTime();
        while (received == null) {
            poll(what);
            if (over && received == null) {
                throw new ToolException(
                        ExitStatus.FAILED, "the peer " + name() + " disconnected before it had sent " + what);
            }
            if (System.nanoTime() - start > limit.toNanos()) {
                throw new ToolException(
                        ExitStatus.FAILED,
                        "the peer " + name() + " said nothing for " + limit.toSeconds() + " s when it should have sent "
                                + what);
            }
        }
        byte[] bytes = received;
        received = null;
        if (bytes.length != length) {
            throw new ToolException(
                    ExitStatus.FAILED,
                    "the peer " + name() + " sent " + bytes.length + " bytes, " + what + " has " + length);
        }
        return bytes;
    }

    private void poll(String what) {
        if (!cq.poll(completion)) {
            boolean _ = drive.getAsBoolean(); // whether it found work makes no difference here
        } else if (completion.status() == WcStatus.WR_FLUSH_ERR) {
            over = true;
        } else if (!completion.isSuccess()) {
            throw CompletionFailure.of(what, completion, name(), device);
        } else if (completion.opcode() == WcOpcode.RECV) {
            byte[] message = memory.asSlice(LONGEST, completion.byteLength()).toArray(ValueLayout.JAVA_BYTE);
            received = message;
            postReceive();
        } else {
            sent = true;
        }
    }

    @Override
    public boolean isOver() {
        over |= qp.state() == QpState.ERR;
        return over && received == null;
    }

    @Override
    public boolean hasInput() {
        if (received == null && !over) {
            poll("the peer's next word");
        }
        return received != null;
    }

    @Override
    public String name() {
        return IpText.of(id.peerAddress().getAddress());
    }

    @Override
    public void close() {
        CmConnector.end(id);
        region.close();
        cq.close();
        pd.close();
        arena.close();
    }
}
