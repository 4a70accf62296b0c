package org.rdma4j.tools.exchange;

import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * The dialogue of {@code ibv_{rc,uc,ud}_pingpong}: the client sends its record, the server connects its queue pair and
 * answers with its own, the client says "done".
 */
public final class PingpongExchange {

    static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);

    private final ExchangeChannel channel;

    public PingpongExchange(ExchangeChannel channel) {
        this.channel = channel;
    }

    /**
     * The client's part.
     *
     * @return the server's record
     * @throws org.rdma4j.tools.ToolException where the server hangs up or does not speak this language
     */
    public PingpongRecord asClient(PingpongRecord own) {
        channel.write(own.emit());
        PingpongRecord server = readRecord(channel);
        channel.write(DONE);
        return server;
    }

    /**
     * The server's part.
     *
     * @param connect is given the client's record before the client hears of this end: from then on packets may come
     */
    public void asServer(PingpongRecord own, Consumer<PingpongRecord> connect) {
        connect.accept(readRecord(channel));
        channel.write(own.emit());
        readDone(channel);
    }

    /** The server waits for the client's last word. */
    static void readDone(ExchangeChannel channel) {
        channel.read(DONE.length, "its \"done\"", ExchangeChannel.ANSWER_LIMIT);
    }

    static PingpongRecord readRecord(ExchangeChannel channel) {
        byte[] bytes = channel.read(PingpongRecord.LENGTH, "its pingpong address", ExchangeChannel.ANSWER_LIMIT);
        PingpongRecord record = PingpongRecord.parse(bytes);
        if (record == null) {
            throw Garbage.instead("pingpong address", bytes, channel.name());
        }
        return record;
    }
}
