package org.rdma4j.tools.replay;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;
import org.rdma4j.tools.exchange.ExchangeChannel;
import org.rdma4j.tools.exchange.KeyRecord;
import org.rdma4j.wire.Gid;

/** The exchange of perftest or of the pingpong tools. */
final class TcpIntroduction implements Introduction {

    private final ExchangeChannel channel;
    private final List<Part> parts;
    private final Gid ownGid;

    /** @param ownGid what the peer is told */
    TcpIntroduction(ExchangeChannel channel, List<Part> parts, Gid ownGid) {
        this.channel = channel;
        this.parts = parts;
        this.ownGid = ownGid;
    }

    @Override
    public void say(Turn turn) {
        byte[] bytes = turn.bytes().clone();
        for (ToldNumbers told : ToldNumbers.in(bytes)) {
            Part part = partOf(told, true);
            if (part != null) {
                KeyRecord keys = told.keys();
                told.replace(
                        bytes,
                        new KeyRecord(
                                keys.lid(),
                                keys.outReads(),
                                part.line().qpn(),
                                keys.psn(),
                                keys.rKey(),
                                keys.address(),
                                keys.gid() == null ? null : ownGid,
                                keys.srqn()));
            }
        }
        channel.write(bytes);
    }

    @Override
    public void hear(Turn turn, Duration limit, Meeting meeting) {
        byte[] heard = read(turn.bytes().length, turn.last(), limit);
        for (ToldNumbers then : ToldNumbers.in(turn.bytes())) {
            Part part = partOf(then, false);
            if (part == null) {
                continue;
            }
            ToldNumbers live = ToldNumbers.at(heard, then.offset());
            if (live == null || live.keys().qpn() == 0) {
                throw new ToolException(
                        ExitStatus.FAILED,
                        "the peer " + channel.name() + " told no queue pair where it did in frame " + turn.last());
            }
            KeyRecord keys = live.keys();
            boolean hasGid = keys.gid() != null && !keys.gid().equals(Gid.ZERO);
            Gid gid = hasGid ? keys.gid() : Gid.of(channel.peerAddress());
            int ownPsn = part.own().psn(); // the peer was told what the capture has
            meeting.met(part, new Met(gid, keys.qpn(), keys.psn(), ownPsn, keys.rKey(), keys.address()));
        }
    }

    private byte[] read(int length, int frame, Duration limit) {
        String what = "the " + length + " bytes that it said in frame " + frame;
        ByteBuffer heard = ByteBuffer.allocate(length);
        while (heard.hasRemaining()) {
            heard.put(channel.read(Math.min(heard.remaining(), ExchangeChannel.LONGEST_RECORD), what, limit));
        }
        return heard.array();
    }

    private Part partOf(ToldNumbers told, boolean own) {
        return parts.stream()
                .filter(part ->
                        (own ? part.own() : part.peer()).qpn() == told.keys().qpn())
                .findFirst()
                .orElse(null);
    }

    @Override
    public void close() {
        channel.close();
    }
}
