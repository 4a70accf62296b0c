package org.rdma4j.rocev2.capture;

import java.util.List;

/**
 * Which frames are wanted.
 *
 * @param all every frame; then the others say nothing
 * @param udpPort of RoCE v2
 * @param tcpPorts of iWARP, and of what tools tell each other first
 */
public record CaptureChoice(boolean all, int udpPort, List<Integer> tcpPorts) {

    public CaptureChoice {
        tcpPorts = List.copyOf(tcpPorts);
    }
}
