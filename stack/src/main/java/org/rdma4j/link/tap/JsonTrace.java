package org.rdma4j.link.tap;

import java.io.IOException;
import java.io.Writer;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.rdma4j.link.FrameTap;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.pcap.LinkType;
import org.rdma4j.trace.Rule;
import org.rdma4j.trace.Tracer;
import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.FrameParser;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.IpText;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.RoceFrame;
import org.rdma4j.wire.Syndrome;

/**
 * What a device does and why, as JSON lines: docs/trace.md has the fields of each. One object an event, in the order in
 * which things happened; several devices may write to one {@link Writer} by a {@link JsonTrace} each.
 */
public final class JsonTrace implements FrameTap, Tracer {

    private final Writer out;
    private final String device;
    private final LongSupplier clock;
    private final int udpPort;
    private final StringBuilder line = new StringBuilder(256);
    private IOException failure;
    private long missing;

    /**
     * @param device its name, for the field {@code dev}
     * @param clock the device's clock, for what other threads post
     */
    public JsonTrace(Writer out, String device, LongSupplier clock) {
        this(out, device, clock, LinkOptions.ROCE_V2_PORT);
    }

    /** @param udpPort the port that the link uses for RoCE v2 */
    public JsonTrace(Writer out, String device, LongSupplier clock, int udpPort) {
        this.out = out;
        this.device = device;
        this.clock = clock;
        this.udpPort = udpPort;
    }

    @Override
    public synchronized void sent(long now, MemorySegment frame, long offset, int length) {
        packet("pkt_tx", now, frame, offset, length, null);
    }

    @Override
    public synchronized void received(long now, MemorySegment frame, long offset, int length, Rule decision) {
        packet("pkt_rx", now, frame, offset, length, decision);
    }

    private void packet(String event, long now, MemorySegment frame, long offset, int length, Rule decision) {
        begin(now, event);
        if (FrameParser.parse(frame, offset, length, LinkType.ETHERNET, udpPort) instanceof RoceFrame roce) {
            headers(roce);
        } else {
            number("frame_bytes", length);
        }
        if (decision != null) {
            text("verdict", decision.outcome().word());
            text("rule", decision.id());
            text("reason", decision.text());
            text("clause", decision.clause());
        }
        end();
    }

    private void headers(RoceFrame roce) {
        int opcode = roce.opcode();
        text("from", end(roce.source()));
        text("to", end(roce.destination()));
        text("opcode", Opcode.name(opcode));
        number("dest_qp", roce.destQp());
        number("psn", roce.psn());
        number("bytes", Math.max(0, roce.payloadLength()));
        truth("ack_req", roce.ackReq());
        if (Opcode.hasAeth(opcode) && roce.transportLength() >= roce.headerLength()) {
            long aeth = roce.bthOffset() + Opcode.aethOffset(opcode);
            text("syndrome", Syndrome.toString(roce.bytes().uint8(aeth + Aeth.SYNDROME_OFFSET)));
            number("msn", roce.bytes().uint24(aeth + Aeth.MSN_OFFSET));
        }
    }

    private static String end(Gid gid) {
        return IpText.of(gid.toAddress());
    }

    @Override
    public synchronized void posted(int qpn, boolean isReceive, long wrId, String operation, long bytes) {
        begin(clock.getAsLong(), "post");
        number("qpn", qpn);
        text("queue", isReceive ? "receive" : "send");
        number("wr_id", wrId);
        text("op", operation);
        number("bytes", bytes);
        end();
    }

    @Override
    public synchronized void completed(long now, int qpn, boolean isReceive, long wrId, String status, long bytes) {
        begin(now, "cqe");
        number("qpn", qpn);
        text("queue", isReceive ? "receive" : "send");
        number("wr_id", wrId);
        text("status", status);
        number("bytes", bytes);
        end();
    }

    @Override
    public synchronized void touched(Touch touch, int key, long address, long bytes) {
        begin(clock.getAsLong(), "mem");
        text("access", touch.name().toLowerCase(Locale.ROOT));
        text("key", String.format(Locale.ROOT, "0x%08x", key));
        text("address", String.format(Locale.ROOT, "0x%016x", address));
        number("bytes", bytes);
        end();
    }

    @Override
    public synchronized void timerSet(long now, int qpn, long deadline) {
        begin(now, "timer_set");
        number("qpn", qpn);
        if (deadline != Long.MAX_VALUE) {
            number("at", deadline);
        }
        end();
    }

    @Override
    public synchronized void timerFired(long now, int qpn) {
        begin(now, "timer_fired");
        number("qpn", qpn);
        end();
    }

    @Override
    public synchronized void stateChanged(long now, int qpn, String from, String to) {
        begin(now, "qp_state");
        number("qpn", qpn);
        text("from", from);
        text("to", to);
        end();
    }

    /**
     * Writes what is held back. Detach the trace first.
     *
     * @throws IOException where events are missing from the file, with the reason
     */
    public synchronized void flush() throws IOException {
        if (failure == null) {
            out.flush();
        } else {
            throw new IOException(missing + " events are missing from the trace: " + failure.getMessage(), failure);
        }
    }

    private void begin(long now, String event) {
        line.setLength(0);
        line.append("{\"t\":").append(now);
        text("dev", device);
        text("ev", event);
    }

    private void name(String name) {
        line.append(",\"").append(name).append("\":");
    }

    private void number(String name, long value) {
        name(name);
        line.append(value);
    }

    private void truth(String name, boolean value) {
        name(name);
        line.append(value);
    }

    /** None of the texts here has characters that JSON escapes, but for the device's name. */
    private void text(String name, String value) {
        name(name);
        line.append('"')
                .append(value.replace("\\", "\\\\").replace("\"", "\\\""))
                .append('"');
    }

    private void end() {
        line.append("}\n");
        if (failure != null) {
            missing++;
            return;
        }
        try {
            synchronized (out) {
                out.append(line);
            }
        } catch (IOException e) {
            failure = e;
            missing++;
        }
    }
}
