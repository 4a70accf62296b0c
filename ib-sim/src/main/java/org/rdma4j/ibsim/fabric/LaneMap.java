package org.rdma4j.ibsim.fabric;

/**
 * SLtoVLMappingTable (IBTA volume 1, 7.6.6 and 14.2.5.8): on which virtual lane a packet goes out, by the port that it came
 * in and the service level that it has.
 */
public final class LaneMap {

    private final byte[] lanes;
    private final int ports;

    /** SL n on VL n modulo 8, for as many ports as there are, port 0 among them. */
    LaneMap(int ports) {
        this.ports = ports;
        lanes = new byte[ports * ports * PortSettings.SERVICE_LEVELS];
        for (int at = 0; at < lanes.length; at++) {
            lanes[at] = (byte) (at % PortSettings.SERVICE_LEVELS % 8);
        }
    }

    public int lane(int in, int out, int serviceLevel) {
        return lanes[index(in, out, serviceLevel)];
    }

    public void set(int in, int out, int serviceLevel, int lane) {
        lanes[index(in, out, serviceLevel)] = (byte) lane;
    }

    private int index(int in, int out, int serviceLevel) {
        return (in * ports + out) * PortSettings.SERVICE_LEVELS + serviceLevel;
    }
}
