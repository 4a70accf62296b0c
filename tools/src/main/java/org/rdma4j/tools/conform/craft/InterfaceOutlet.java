package org.rdma4j.tools.conform.craft;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import org.rdma4j.rocev2.capture.FrameCaptures;
import org.rdma4j.rocev2.capture.FrameInjection;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;

/** Frames out of an interface of this host, to a peer that the kernel has met: its MAC address is asked of the ARP table. */
public final class InterfaceOutlet implements FrameOutlet {

    private static final Path ARP = Path.of("/proc/net/arp");
    private static final int HARDWARE_ADDRESS = 3;

    private final String interfaceName;
    private final String peer;
    private final FrameInjection injection;
    private final long local;

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
    public void close() {
        injection.close();
    }
}
