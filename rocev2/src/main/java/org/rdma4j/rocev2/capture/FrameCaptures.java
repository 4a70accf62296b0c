package org.rdma4j.rocev2.capture;

import org.rdma4j.link.LinkException;
import org.rdma4j.rocev2.packet.PacketCapture;
import org.rdma4j.rocev2.pcap4j.PcapCapture;
import org.rdma4j.rocev2.pcap4j.PcapLink;
import org.rdma4j.rocev2.syscall.SyscallSupport;

/** Opens captures: by packet sockets where there are such, else by Pcap4J. */
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
        String noPackets = SyscallSupport.unsupportedReason();
        By chosen = by != null ? by : noPackets == null ? By.PACKET : By.PCAP4J;
        if (chosen == By.PACKET) {
            if (noPackets != null) {
                throw new LinkException(LinkException.Kind.UNSUPPORTED, "packet sockets: " + noPackets);
            }
            return PacketCapture.open(interfaceName, choice);
        }
        String noPcap = PcapLink.unsupportedReason();
        if (noPcap != null) {
            throw new LinkException(LinkException.Kind.UNSUPPORTED, interfaceName + " by Pcap4J: " + noPcap);
        }
        return PcapCapture.open(interfaceName, choice);
    }
}
