package org.rdma4j.tools.exchange;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Pattern;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;

/**
 * The dialogue of perftest's tools. In every step the client speaks first and the server answers; which steps a test
 * takes, and in which order, the test knows.
 */
public final class PerftestExchange {

    /** What this end says it is. From 6.28 on peers would negotiate by a structure of the host's own layout. */
    public static final String VERSION = "6.06";

    private static final double OLDEST_PEER = 5.70;
    private static final int VERSION_LENGTH = 16;
    private static final Pattern VERSION_FORM = Pattern.compile("(\\d+\\.\\d+)\\S*\0.*", Pattern.DOTALL);
    private static final int SMALLEST_MTU = 128; // the MTU whose code would be 0
    private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);

    private final Conversation channel;
    private final boolean client;
    private final KeyForm form;

    /** @param client whether this end speaks first */
    public PerftestExchange(Conversation channel, boolean client, KeyForm form) {
        this.channel = channel;
        this.client = client;
        this.form = form;
    }

    public boolean isClient() {
        return client;
    }

    public Conversation channel() {
        return channel;
    }

    private byte[] step(byte[] own, String what, Duration limit) {
        if (client) {
            channel.write(own);
            return channel.read(own.length, what, limit);
        }
        byte[] theirs = channel.read(own.length, what, limit);
        channel.write(own);
        return theirs;
    }

    /**
     * Step 1: 16 bytes.
     *
     * @return the peer's version
     * @throws ToolException where it is too old, or no version
     */
    public String version() {
        byte[] own = ByteBuffer.allocate(VERSION_LENGTH)
                .put(VERSION.getBytes(StandardCharsets.US_ASCII))
                .array();
        byte[] theirs = step(own, "its perftest version", ExchangeChannel.ANSWER_LIMIT);
        var matcher = VERSION_FORM.matcher(new String(theirs, StandardCharsets.ISO_8859_1));
        if (!matcher.matches()) {
            throw Garbage.instead("perftest version", theirs, channel.name());
        }
        String version = matcher.group(1);
        if (Double.parseDouble(version) < OLDEST_PEER) {
            throw new ToolException(
                    ExitStatus.FAILED,
                    "the peer " + channel.name() + " speaks perftest's language of version " + version
                            + ", this end that of " + OLDEST_PEER + " and later");
        }
        return version;
    }

    /**
     * Steps 2 and 3, the size of the cycled buffer and of a cache line: both ends take the larger one.
     *
     * @param own bytes
     */
    public int larger(int own, String what) {
        byte[] theirs =
                step(ByteBuffer.allocate(Integer.BYTES).putInt(own).array(), what, ExchangeChannel.ANSWER_LIMIT);
        int value = ByteBuffer.wrap(theirs).getInt();
        if (value < 0 || value > 1 << 30) {
            throw Garbage.instead(what + " of sense", theirs, channel.name());
        }
        return Math.max(own, value);
    }

    /**
     * Step 4: both ends take the smaller path MTU.
     *
     * @param own 256, 512, 1024, 2048 or 4096 bytes
     * @return the peer's
     */
    public int mtu(int own) {
        byte code = (byte) ('0' + Integer.numberOfTrailingZeros(own / SMALLEST_MTU));
        byte[] theirs = step(new byte[] {code, 0}, "its MTU", ExchangeChannel.ANSWER_LIMIT);
        int peer = theirs[0] - '0';
        if (peer < 1 || peer > 5) {
            throw Garbage.instead("MTU code from 1 to 5", theirs, channel.name());
        }
        return SMALLEST_MTU << peer;
    }

    /** Each end tells of a queue pair. */
    public KeyRecord keys(KeyRecord own) {
        return keys(own, ExchangeChannel.ANSWER_LIMIT);
    }

    /** The same record once more, where one end waits for the other; the peer may be at work for as long as it likes. */
    public void barrier(KeyRecord own) {
        keys(own, ExchangeChannel.NO_LIMIT);
    }

    private KeyRecord keys(KeyRecord own, Duration limit) {
        byte[] theirs = step(form.emit(own), "its keys", limit);
        KeyRecord record = form.parse(theirs);
        if (record == null) {
            throw Garbage.instead("perftest keys", theirs, channel.name());
        }
        return record;
    }

    /** Over rdma_cm, before and after the test's own connections are made: a record of zeros. */
    public void pause() {
        keys(KeyForm.NOTHING);
    }

    /** Each end tells its outcome; where only the client measures, only the client's means something. */
    public BandwidthFigures figures(BandwidthFigures own) {
        byte[][] theirs = new byte[BandwidthFigures.STEPS][];
        for (int step = 0; step < BandwidthFigures.STEPS; step++) {
            theirs[step] = step(own.emit(step), "its figures", ExchangeChannel.NO_LIMIT);
        }
        return BandwidthFigures.parse(theirs);
    }

    /** The last word. Newer peers do not say it and none waits for it, so a peer that has gone already is no fault. */
    public void done() {
        if (form == KeyForm.BINARY) {
            return; // the disconnect says it
        }
        try {
            channel.write(DONE);
        } catch (ToolException _) {
            // Gone: the test is over on both ends.
        }
    }
}
