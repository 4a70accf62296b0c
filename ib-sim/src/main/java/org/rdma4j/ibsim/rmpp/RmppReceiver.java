package org.rdma4j.ibsim.rmpp;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;
import org.rdma4j.ibsim.mad.Mad;

/**
 * Takes the segments of one message in their order (IBTA volume 1, 13.6.6.3): what comes out of it is dropped, and the last
 * one that was right is acknowledged again, so that the sender goes back to it.
 */
public final class RmppReceiver {

    /** Segments that the sender may have under way. */
    private static final int WINDOW = 8;

    private final int classHeader;
    private final Consumer<Mad> out;
    private final ByteArrayOutputStream data = new ByteArrayOutputStream();
    private int last;
    private boolean complete;
    private boolean failed;

    /**
     * @param classHeader bytes of the class's header in front of each segment's data
     * @param out sends an acknowledgement, which is the segment's datagram turned round
     */
    public RmppReceiver(int classHeader, Consumer<Mad> out) {
        this.classHeader = classHeader;
        this.out = out;
    }

    public boolean isComplete() {
        return complete;
    }

    /** True where the sender has given up. */
    public boolean hasFailed() {
        return failed;
    }

    /** The message, once it is complete. */
    public byte[] data() {
        return data.toByteArray();
    }

    /** A datagram of the sender's. */
    public void received(Mad mad) {
        switch (RmppHeader.type(mad)) {
            case RmppHeader.DATA -> segment(mad);
            case RmppHeader.STOP, RmppHeader.ABORT -> failed = !complete;
            default -> {} // nothing that a sender says
        }
    }

    private void segment(Mad mad) {
        int number = RmppHeader.segment(mad);
        boolean isLast = (RmppHeader.flags(mad) & RmppHeader.LAST) != 0;
        if (number == last + 1 && !complete) {
            int room = RmppHeader.PAYLOAD_ROOM - classHeader;
            int length = isLast ? Math.clamp(RmppHeader.data2(mad) - (long) classHeader, 0, room) : room;
            byte[] bytes = mad.bytes()
                    .asSlice((long) RmppHeader.PAYLOAD_OFFSET + classHeader, length)
                    .toArray(ValueLayout.JAVA_BYTE);
            data.write(bytes, 0, bytes.length);
            last = number;
            complete = isLast;
        }
        // Halfway through the window, at the end, and where something is missing or came twice.
        if (number != last || complete || last % (WINDOW / 2) == 1) {
            acknowledge(mad);
        }
    }

    private void acknowledge(Mad mad) {
        Mad ack = Mad.copyOf(mad.bytes(), 0);
        ack.sourceLid = mad.destinationLid;
        ack.destinationLid = mad.sourceLid;
        ack.sourceQp = mad.destinationQp;
        ack.destinationQp = mad.sourceQp;
        ack.setMethod(mad.method() ^ Mad.RESPONSE); // it goes the other way
        RmppHeader.write(ack, RmppHeader.ACK, 0, last, complete ? last : last + WINDOW);
        out.accept(ack);
    }
}
