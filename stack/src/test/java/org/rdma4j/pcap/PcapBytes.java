package org.rdma4j.pcap;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** Capture files made by hand, and what the reader makes of one. */
final class PcapBytes {

    private PcapBytes() {}

    /** What came out of a file: its packets, then the complaint where there was one. */
    record Outcome(List<CapturedPacket> packets, CaptureException complaint) {}

    static Outcome read(byte[] file) {
        List<CapturedPacket> packets = new ArrayList<>();
        try (CaptureReader reader = CaptureReader.open("t.pcap", new ByteArrayInputStream(file))) {
            while (reader.hasNext()) {
                packets.add(reader.next());
            }
            return new Outcome(packets, null);
        } catch (CaptureException e) {
            return new Outcome(packets, e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A pcap file with one record a frame, a second and seven ticks apart. */
    static byte[] pcap(int magic, ByteOrder order, int linkType, byte[]... frames) {
        ByteBuffer file = ByteBuffer.allocate(1 << 16).order(order);
        file.putInt(magic)
                .putShort((short) 2)
                .putShort((short) 4)
                .putInt(0)
                .putInt(0)
                .putInt(65535)
                .putInt(linkType);
        int seconds = 1_700_000_000;
        for (byte[] frame : frames) {
            file.putInt(seconds++).putInt(7).putInt(frame.length).putInt(frame.length + 100);
            file.put(frame);
        }
        return java.util.Arrays.copyOf(file.array(), file.position());
    }

    /** A pcapng block: its type and length in front, its length behind. */
    static byte[] block(ByteOrder order, int type, ByteBuffer body) {
        ByteBuffer block = ByteBuffer.allocate(12 + body.remaining()).order(order);
        block.putInt(type).putInt(block.capacity()).put(body).putInt(block.capacity());
        return block.array();
    }

    static byte[] sectionHeader(ByteOrder order) {
        ByteBuffer body = ByteBuffer.allocate(16).order(order);
        body.putInt(PcapngBlock.BYTE_ORDER_MAGIC)
                .putShort((short) 1)
                .putShort((short) 0)
                .putLong(-1);
        return block(order, PcapngBlock.SECTION_HEADER, body.flip());
    }

    /** An interface whose options are given as they lie. */
    static byte[] interfaceDescription(ByteOrder order, int linkType, int snapLength, byte... options) {
        ByteBuffer body = ByteBuffer.allocate(8 + options.length).order(order);
        body.putShort((short) linkType).putShort((short) 0).putInt(snapLength).put(options);
        return block(order, PcapngBlock.INTERFACE_DESCRIPTION, body.flip());
    }

    static byte[] enhancedPacket(ByteOrder order, int interfaceIndex, long ticks, byte[] frame, byte... options) {
        ByteBuffer body = ByteBuffer.allocate(20 + PcapngBlock.padded(frame.length) + options.length)
                .order(order);
        body.putInt(interfaceIndex).putInt((int) (ticks >>> 32)).putInt((int) ticks);
        body.putInt(frame.length).putInt(frame.length).put(frame);
        body.position(20 + PcapngBlock.padded(frame.length)).put(options);
        return block(order, PcapngBlock.ENHANCED_PACKET, body.flip());
    }

    static byte[] simplePacket(ByteOrder order, int originalLength, byte[] frame) {
        ByteBuffer body =
                ByteBuffer.allocate(4 + PcapngBlock.padded(frame.length)).order(order);
        body.putInt(originalLength).put(frame).position(body.capacity());
        return block(order, PcapngBlock.SIMPLE_PACKET, body.flip());
    }

    static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    static byte[] gzip(byte[] bytes) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream stream = new GZIPOutputStream(packed)) {
            stream.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }
}
