package org.rdma4j.tools.exchange;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.rdma4j.tools.ToolException;

/**
 * The dialogue of {@code ibv_xsrq_pingpong} with one client: the client tells its record, the server its own; when the
 * game is over the client says END, and the server says it when it has heard it of all.
 */
public final class XsrqExchange implements AutoCloseable {

    private static final byte[] END = "END\0".getBytes(StandardCharsets.US_ASCII);

    private final ExchangeChannel channel;

    public XsrqExchange(ExchangeChannel channel) {
        this.channel = channel;
    }

    /** Writes this end's record. */
    public void tell(XsrqRecord own) {
        channel.write(own.emit());
    }

    /** @throws ToolException where the peer hangs up or does not speak this language */
    public XsrqRecord hear() {
        byte[] bytes = channel.read(XsrqRecord.LENGTH, "its pingpong address", ExchangeChannel.ANSWER_LIMIT);
        XsrqRecord record = XsrqRecord.parse(bytes);
        if (record == null) {
            throw Garbage.instead("pingpong address", bytes, channel.name());
        }
        return record;
    }

    public void tellEnd() {
        channel.write(END);
    }

    /** Waits until the peer is done too. */
    public void hearEnd() {
        byte[] bytes = channel.read(END.length, "its \"END\"", ExchangeChannel.NO_LIMIT);
        if (!Arrays.equals(END, bytes)) {
            throw Garbage.instead("\"END\"", bytes, channel.name());
        }
    }

    /** The channel beneath. */
    public ExchangeChannel channel() {
        return channel;
    }

    @Override
    public void close() {
        channel.close();
    }
}
