package org.rdma4j.ibsim.sm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.rdma4j.wire.NetworkOrder;

/** A node that the subnet manager has found. */
public final class FoundNode {

    private static final int TYPE = 2;
    private static final int PORTS = 3;
    private static final int NODE_GUID = 12;
    private static final int PORT_GUID = 20;
    private static final int LOCAL_PORT = 36;
    private static final int SWITCH = 2;

    private final byte[] info;
    private final byte[] path;
    private final FoundPort[] ports;
    private byte[] description = new byte[64];
    private byte[] switchInfo = new byte[0];
    private int switchIndex = -1;

    /**
     * @param info NodeInfo
     * @param path the way to it from the manager, a port each hop
     */
    FoundNode(byte[] info, byte[] path) {
        this.info = info;
        this.path = path;
        this.ports = new FoundPort[portCount() + 1];
    }

    private MemorySegment segment() {
        return MemorySegment.ofArray(info);
    }

    /** NodeInfo, 40 bytes and what follows. */
    public byte[] info() {
        return info;
    }

    byte[] path() {
        return path;
    }

    public boolean isSwitch() {
        return info[TYPE] == SWITCH;
    }

    public int portCount() {
        return info[PORTS] & 0xFF;
    }

    public long guid() {
        return segment().get(NetworkOrder.LONG, NODE_GUID);
    }

    static int localPort(byte[] info) {
        return info[LOCAL_PORT] & 0xFF;
    }

    static long portGuid(byte[] info) {
        return MemorySegment.ofArray(info).get(NetworkOrder.LONG, PORT_GUID);
    }

    /** The port of this number; {@code null} where it was not found. */
    public FoundPort port(int number) {
        return number < ports.length ? ports[number] : null;
    }

    FoundPort addPort(int number, long portGuid, byte[] portInfo) {
        ports[number] = new FoundPort(this, number, portGuid, portInfo);
        return ports[number];
    }

    /** NodeDescription as text. */
    public String description() {
        int end = 0;
        while (end < description.length && description[end] != 0) {
            end++;
        }
        return new String(description, 0, end, StandardCharsets.UTF_8);
    }

    /** NodeDescription, 64 bytes. */
    public byte[] descriptionBytes() {
        return description.clone();
    }

    void setDescription(MemorySegment bytes) {
        description = bytes.toArray(ValueLayout.JAVA_BYTE);
    }

    byte[] switchInfo() {
        return switchInfo;
    }

    void setSwitchInfo(byte[] bytes) {
        switchInfo = bytes;
    }

    /** Its place among the switches; -1 for an adapter. */
    int switchIndex() {
        return switchIndex;
    }

    void setSwitchIndex(int index) {
        switchIndex = index;
    }
}
