package org.rdma4j.tools.conform.craft;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.rdma4j.rocev2.capture.CaptureChoice;
import org.rdma4j.rocev2.capture.FrameCapture;
import org.rdma4j.rocev2.capture.FrameCaptures;
import org.rdma4j.rocev2.capture.FrameInjection;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;
import org.rdma4j.wire.UdpHeader;

/** Frames out of an interface of this host, to a peer that the kernel has met: its MAC address is asked of the ARP table. */
public final class InterfaceOutlet implements FrameOutlet {

    private static final Path ARP = Path.of("/proc/net/arp");
    private static final int HARDWARE_ADDRESS = 3;
    private static final long LONGEST_SLEEP = 20_000_000;

    private final String interfaceName;
    private final String peer;
    private final FrameInjection injection;
    private final long local;
    private FrameCapture capture; // null where nobody listens
    private Thread listener;
    private volatile boolean closed;

    /** @param peer an IPv4 address */
    public InterfaceOutlet(String interfaceName, String peer) {
        this.interfaceName = interfaceName;
        this.peer = peer;
        this.local = macOf(interfaceName);
        this.injection = FrameCaptures.inject(interfaceName, null);
    }

    private static long macOf(String interfaceName) {
        try {
            NetworkInterface card = NetworkInterface.getByName(interfaceName);
            byte[] mac = card == null ? null : card.getHardwareAddress();
            if (mac == null) {
                throw new ToolException(
                        ExitStatus.USAGE, "--frames " + interfaceName + ": there is no such Ethernet interface");
            }
            long value = 0;
            for (byte each : mac) {
                value = value << 8 | each & 0xFF;
            }
            return value;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public long local() {
        return local;
    }

    @Override
    public long remote() {
        try {
            for (String line : Files.readAllLines(ARP)) {
                String[] fields = line.split(" +");
                if (fields[0].equals(peer)) {
                    return Long.parseLong(fields[HARDWARE_ADDRESS].replace(":", ""), 16);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new ToolException(
                ExitStatus.FAILED, "--frames " + interfaceName + ": the ARP table does not know " + peer);
    }

    @Override
    public synchronized String send(byte[] frame) {
        String refusal = injection.send(MemorySegment.ofArray(frame));
        return refusal == null
                ? null
                : "--frames " + interfaceName + ": a frame of " + frame.length + " bytes did not leave: " + refusal;
    }

    @Override
    public void hear(Consumer<byte[]> ear) {
        capture = FrameCaptures.open(interfaceName, new CaptureChoice(false, UdpHeader.ROCE_V2_PORT, List.of()), null);
        listener = Thread.ofPlatform().daemon().name("conform " + interfaceName).start(() -> listen(ear));
    }

    private void listen(Consumer<byte[]> ear) {
        while (!closed) {
            int count = capture.poll((time, memory, at, length, originalLength) ->
                    ear.accept(memory.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE)));
            if (count == 0) {
                capture.await(LONGEST_SLEEP);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        injection.close();
        if (capture == null) {
            return;
        }
        capture.wakeup();
        try {
            listener.join();
            capture.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the listener may be at the ring yet, which therefore stays
        }
    }
}
