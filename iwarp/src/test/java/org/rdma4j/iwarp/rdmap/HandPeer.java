package org.rdma4j.iwarp.rdmap;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.rdma4j.iwarp.craft.Ulpdu;
import org.rdma4j.iwarp.memory.MemoryNetwork;
import org.rdma4j.iwarp.memory.MemorySocket;
import org.rdma4j.iwarp.mpa.FpduReader;
import org.rdma4j.iwarp.stream.StreamException;
import org.rdma4j.iwarp.stream.StreamHandler;
import org.rdma4j.iwarp.wire.EnhancedData;
import org.rdma4j.iwarp.wire.Fpdu;
import org.rdma4j.iwarp.wire.MpaFrame;

/** The peer of a device, played by hand: bytes of a TCP connection, and not a rule kept but those that the test keeps. */
final class HandPeer implements StreamHandler {

    private MemorySocket socket;
    private byte[] arrived = {};
    private boolean crc;
    private FpduReader reader = new FpduReader(false, false);
    boolean ended;
    boolean broken;

    void connect(MemoryNetwork network, Node to) {
        socket = network.connect(null, to.address(), this);
    }

    void listen(MemoryNetwork network, int port) {
        network.listen(new java.net.InetSocketAddress(network.address(), port), 1, taken -> {
            socket = (MemorySocket) taken;
            return this;
        });
    }

    /** From now on FPDUs carry CRCs both ways. */
    void useCrc() {
        crc = true;
        reader = new FpduReader(false, true);
    }

    static byte[] frame(boolean request, boolean crc, int ird, int ord, byte... privateData) {
        int length = EnhancedData.LENGTH + privateData.length;
        byte[] bytes = new byte[MpaFrame.LENGTH + length];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        MpaFrame.write(segment, 0, request, false, crc, false, true, 2, length);
        EnhancedData.write(segment, MpaFrame.LENGTH, false, false, ird, false, false, ord);
        System.arraycopy(privateData, 0, bytes, MpaFrame.LENGTH + EnhancedData.LENGTH, privateData.length);
        return bytes;
    }

    void sendRaw(byte... bytes) {
        socket.send(bytes);
    }

    void send(Ulpdu ulpdu) {
        sendRaw(fpdu(ulpdu.bytes()));
    }

    byte[] fpdu(byte[] ulpdu) {
        byte[] bytes = new byte[Fpdu.length(ulpdu.length)];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        Fpdu.setUlpduLength(segment, 0, ulpdu.length);
        System.arraycopy(ulpdu, 0, bytes, Fpdu.HEADER_LENGTH, ulpdu.length);
        if (crc) {
            CRC32C sum = new CRC32C();
            sum.update(bytes, 0, bytes.length - Fpdu.CRC_LENGTH);
            Fpdu.setCrc(segment, bytes.length - Fpdu.CRC_LENGTH, (int) sum.getValue());
        }
        return bytes;
    }

    void finish() {
        socket.finish();
    }

    void reset() {
        socket.reset();
    }

    /** Takes bytes from the front of what has come. */
    byte[] take(int length) {
        byte[] taken = Arrays.copyOf(arrived, length);
        arrived = Arrays.copyOfRange(arrived, length, arrived.length);
        return taken;
    }

    /** Takes an MPA frame with what follows it. */
    byte[] takeFrame() {
        int length = MpaFrame.parse(MemorySegment.ofArray(arrived), 0).privateDataLength();
        return take(MpaFrame.LENGTH + length);
    }

    /** The next ULPDU that has come, or {@code null}. */
    byte[] next() {
        MemorySegment segment = MemorySegment.ofArray(arrived);
        if (reader.next(segment, 0, arrived.length) != FpduReader.Outcome.ULPDU) {
            return null;
        }
        byte[] ulpdu =
                segment.asSlice(reader.ulpduOffset(), reader.ulpduLength()).toArray(ValueLayout.JAVA_BYTE);
        take(reader.consumed());
        return ulpdu;
    }

    int arrived() {
        return arrived.length;
    }

    @Override
    public void connected() {}

    @Override
    public int received(MemorySegment segment, long at, int length) {
        int before = arrived.length;
        arrived = Arrays.copyOf(arrived, before + length);
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, at, arrived, before, length);
        return length;
    }

    @Override
    public void writable() {}

    @Override
    public void ended(int left) {
        ended = true;
    }

    @Override
    public void broken(StreamException cause) {
        broken = true;
    }
}
