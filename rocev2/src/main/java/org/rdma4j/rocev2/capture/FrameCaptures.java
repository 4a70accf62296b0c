package org.rdma4j.rocev2.capture;

import org.rdma4j.link.LinkException;
import org.rdma4j.rocev2.packet.PacketCapture;
import org.rdma4j.rocev2.packet.PacketInjection;
import org.rdma4j.rocev2.pcap4j.PcapCapture;
import org.rdma4j.rocev2.pcap4j.PcapInjection;
import org.rdma4j.rocev2.pcap4j.PcapLink;
import org.rdma4j.rocev2.syscall.SyscallSupport;

/** Opens interfaces to capture, or to send whole frames: by packet sockets where there are such, else by Pcap4J. */
public final class FrameCaptures {

    /** By what. */
    public enum By {
        PACKET,
        PCAP4J
    }

    private FrameCaptures() {}

    /**
     * Listens to an interface.
     *
     * @param by {@code null} for what there is
     * @throws LinkException where the interface is not there, this process may not, or something is missing
     */
    public static FrameCapture open(String interfaceName, CaptureChoice choice, By by) {
        return choose(interfaceName, by) == By.PACKET
                ? PacketCapture.open(interfaceName, choice)
                : PcapCapture.open(interfaceName, choice);
    }

    /**
     * Opens an interface to send frames.
     *
     * @param by {@code null} for what there is
     * @throws LinkException where the interface is not there, this process may not, or something is missing
     */
    public static FrameInjection inject(String interfaceName, By by) {
        return choose(interfaceName, by) == By.PACKET
                ? PacketInjection.open(interfaceName)
                : PcapInjection.open(interfaceName);
    }

    private static By choose(String interfaceName, By by) {
        String noPackets = SyscallSupport.unsupportedReason();
        By chosen = by != null ? by : noPackets == null ? By.PACKET : By.PCAP4J;
        if (chosen == By.PACKET && noPackets != null) {
            throw new LinkException(LinkException.Kind.UNSUPPORTED, "packet sockets: " + noPackets);
        }
        String noPcap = chosen == By.PCAP4J ? PcapLink.unsupportedReason() : null;
        if (noPcap != null) {
            throw new LinkException(LinkException.Kind.UNSUPPORTED, interfaceName + " by Pcap4J: " + noPcap);
        }
        return chosen;
    }
}
