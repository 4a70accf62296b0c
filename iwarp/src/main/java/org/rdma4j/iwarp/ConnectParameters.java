package org.rdma4j.iwarp;

import org.rdma4j.iwarp.mpa.MpaSettings;

/** What one side says when it asks for a connection or accepts one. */
public final class ConnectParameters {

    private final byte[] privateData;
    private final int ird;
    private final int ord;
    private final MpaSettings settings;
    private final int trafficClass;

    private ConnectParameters(byte[] privateData, int ird, int ord, MpaSettings settings, int trafficClass) {
        this.privateData = privateData;
        this.ird = ird;
        this.ord = ord;
        this.settings = settings;
        this.trafficClass = trafficClass;
    }

    /**
     * @param privateData for the peer: at most 508 bytes, 512 where revision 1 is spoken
     * @param ird READs of the peer that may wait here at once
     * @param ord READs of this side that may be outstanding at once
     */
    public static ConnectParameters of(byte[] privateData, int ird, int ord) {
        return new ConnectParameters(privateData.clone(), ird, ord, null, 0);
    }

    /**
     * MPA's settings in place of the device's; depths in there do not count. With an accept none of it does: it was settled
     * when the connection was taken.
     */
    public ConnectParameters withSettings(MpaSettings value) {
        return new ConnectParameters(privateData, ird, ord, value, trafficClass);
    }

    /** DSCP and ECN of this side's packets, 0 to 255. TCP's handshake goes without. */
    public ConnectParameters withTrafficClass(int value) {
        return new ConnectParameters(privateData, ird, ord, settings, value);
    }

    public byte[] privateData() {
        return privateData.clone();
    }

    public int ird() {
        return ird;
    }

    public int ord() {
        return ord;
    }

    public int trafficClass() {
        return trafficClass;
    }

    /** {@code null} for the device's. */
    public MpaSettings settings() {
        return settings;
    }
}
