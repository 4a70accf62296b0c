package org.rdma4j.pcap;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Writes a pcapng file: one section, as many interfaces as wanted, timestamps in nanoseconds, comments on packets.
 * Little-endian. Nothing is buffered here beyond one block: give it a buffered stream. Not for several threads.
 */
public final class PcapngWriter implements AutoCloseable {

    /** Which way a packet went past the interface, for {@link #write}. */
    public static final int UNKNOWN_DIRECTION = 0;

    public static final int INBOUND = 1;
    public static final int OUTBOUND = 2;

    /** Bytes of text that an option can hold. */
    private static final int LONGEST_OPTION = 0xFFFF;

    private static final byte NANOSECONDS = 9;
    private static final int SNAP_LENGTH = 0;
    private static final long UNKNOWN_LENGTH = -1;

    private final OutputStream stream;
    private byte[] bytes = new byte[4096];
    private ByteBuffer block = over(bytes);
    private int interfaces;

    /** Starts the file. The application's name goes into its header. */
    public PcapngWriter(OutputStream stream, String application) throws IOException {
        this.stream = stream;
        begin(PcapngBlock.SECTION_HEADER);
        block.putInt(PcapngBlock.BYTE_ORDER_MAGIC).putShort((short) 1).putShort((short) 0);
        block.putLong(UNKNOWN_LENGTH);
        putText(PcapngBlock.OPTION_APPLICATION, application);
        endOptions();
        end();
    }

    /**
     * Describes an interface; at any time before its first packet.
     *
     * @return its index, for {@link #write}
     */
    public int addInterface(int linkType, String name) throws IOException {
        begin(PcapngBlock.INTERFACE_DESCRIPTION);
        block.putShort((short) linkType).putShort((short) 0).putInt(SNAP_LENGTH);
        putText(PcapngBlock.OPTION_INTERFACE_NAME, name);
        block.putShort((short) PcapngBlock.OPTION_TIMESTAMP_RESOLUTION).putShort((short) 1);
        block.put(NANOSECONDS).put((byte) 0).putShort((short) 0);
        endOptions();
        end();
        return interfaces++;
    }

    /** Writes a whole frame. */
    public void write(int interfaceIndex, long timestamp, MemorySegment memory, long offset, int length)
            throws IOException {
        write(interfaceIndex, timestamp, memory, offset, length, length, List.of());
    }

    /** Writes a frame of which is not known which way it went. */
    public void write(
            int interfaceIndex,
            long timestamp,
            MemorySegment memory,
            long offset,
            int length,
            long originalLength,
            List<String> comments)
            throws IOException {
        write(interfaceIndex, timestamp, UNKNOWN_DIRECTION, memory, offset, length, originalLength, comments);
    }

    /**
     * Writes a frame.
     *
     * @param timestamp nanoseconds since 1970
     * @param direction {@link #INBOUND}, {@link #OUTBOUND} or {@link #UNKNOWN_DIRECTION}
     * @param length bytes that are there
     * @param originalLength bytes that were on the wire
     * @param comments in words; each is cut at 65,535 bytes
     */
    public void write(
            int interfaceIndex,
            long timestamp,
            int direction,
            MemorySegment memory,
            long offset,
            int length,
            long originalLength,
            List<String> comments)
            throws IOException {
        if (interfaceIndex < 0 || interfaceIndex >= interfaces) {
            throw new IllegalArgumentException("interface " + interfaceIndex + " of " + interfaces);
        }
        begin(PcapngBlock.ENHANCED_PACKET);
        block.putInt(interfaceIndex);
        block.putInt((int) (timestamp >>> 32)).putInt((int) timestamp);
        block.putInt(length).putInt((int) originalLength);
        room(length);
        MemorySegment.copy(memory, offset, MemorySegment.ofArray(bytes), block.position(), length);
        block.position(block.position() + length);
        pad();
        for (String comment : comments) {
            putText(PcapngBlock.OPTION_COMMENT, comment);
        }
        if (direction != UNKNOWN_DIRECTION) {
            room(2 * Integer.BYTES);
            block.putShort((short) PcapngBlock.OPTION_PACKET_FLAGS).putShort((short) Integer.BYTES);
            block.putInt(direction);
        }
        if (!comments.isEmpty() || direction != UNKNOWN_DIRECTION) {
            endOptions();
        }
        end();
    }

    /** Hands on what the stream holds back. */
    public void flush() throws IOException {
        stream.flush();
    }

    /** Closes the stream. */
    @Override
    public void close() throws IOException {
        stream.close();
    }

    private void begin(int type) {
        block.clear().putInt(type).putInt(0);
    }

    private void end() throws IOException {
        room(Integer.BYTES);
        int length = block.position() + Integer.BYTES;
        block.putInt(length).putInt(Integer.BYTES, length);
        stream.write(bytes, 0, length);
    }

    private void putText(int option, String text) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(encoded.length, LONGEST_OPTION);
        while (length < encoded.length && (encoded[length] & 0xC0) == 0x80) {
            length--; // not within a character
        }
        room(Integer.BYTES + length);
        block.putShort((short) option).putShort((short) length);
        block.put(encoded, 0, length);
        pad();
    }

    private void endOptions() {
        room(Integer.BYTES);
        block.putInt(PcapngBlock.OPTION_END);
    }

    private void pad() {
        while (block.position() % 4 != 0) {
            block.put((byte) 0);
        }
    }

    /** Makes room for a part and its pad. */
    private void room(int length) {
        int needed = block.position() + length + 8;
        if (needed > bytes.length) {
            int position = block.position();
            bytes = Arrays.copyOf(bytes, Math.max(needed, 2 * bytes.length));
            block = over(bytes).position(position);
        }
    }

    private static ByteBuffer over(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
