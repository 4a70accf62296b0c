package org.rdma4j.tools.exchange;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;
import org.rdma4j.wire.Gid;

/**
 * The dialogue of {@code ibv_srq_pingpong}: that of the others, but each end tells all of its table of 256 records,
 * however few of them it uses.
 */
public final class SrqPingpongExchange {

    /** Records that each end sends. */
    public static final int RECORDS = 256;

    private static final PingpongRecord UNUSED = new PingpongRecord(0, 0, 0, Gid.ZERO);

    private final ExchangeChannel channel;

    public SrqPingpongExchange(ExchangeChannel channel) {
        this.channel = channel;
    }

    /**
     * The client's part.
     *
     * @return the server's records, as many as there are of our own
     * @throws ToolException where the server hangs up, does not speak this language, or uses another number
     */
    public List<PingpongRecord> asClient(List<PingpongRecord> own) {
        channel.write(table(own));
        List<PingpongRecord> server = readTable(own.size());
        channel.write(PingpongExchange.DONE);
        return server;
    }

    /**
     * The server's part.
     *
     * @param connect is given the client's records before the client hears of this end: from then on packets may come
     */
    public void asServer(List<PingpongRecord> own, Consumer<List<PingpongRecord>> connect) {
        connect.accept(readTable(own.size()));
        channel.write(table(own));
        PingpongExchange.readDone(channel);
    }

    private static byte[] table(List<PingpongRecord> own) {
        ByteBuffer bytes = ByteBuffer.allocate(RECORDS * PingpongRecord.LENGTH);
        for (int index = 0; index < RECORDS; index++) {
            bytes.put((index < own.size() ? own.get(index) : UNUSED).emit());
        }
        return bytes.array();
    }

    private List<PingpongRecord> readTable(int expected) {
        List<PingpongRecord> used = new ArrayList<>();
        for (int index = 0; index < RECORDS; index++) {
            PingpongRecord record = PingpongExchange.readRecord(channel);
            if (record.qpn() != 0) {
                used.add(record);
            }
        }
        if (used.size() != expected) {
            throw new ToolException(
                    ExitStatus.FAILED,
                    "the peer " + channel.name() + " has " + used.size() + " connections, this end " + expected
                            + ": start both with the same -q");
        }
        return used;
    }
}
