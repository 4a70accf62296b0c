package org.rdma4j.ibsim.ethernet;

/** A host's network card: one port, whose frames go to whoever drives the host. It takes what comes at the line's rate. */
public final class EthernetAdapter extends EthernetNode {

    private final int index;
    private Consumer consumer = (frame, now) -> {};

    /** Takes the frames that come. */
    @FunctionalInterface
    interface Consumer {

        /** @param frame valid during the call only */
        void received(EthernetFrame frame, long now);
    }

    EthernetAdapter(RoceFabric fabric, String name, int index, long mac) {
        super(fabric, name);
        this.index = index;
        makePorts(1, mac);
    }

    /** The host's number, 0 for the first. */
    public int index() {
        return index;
    }

    void setConsumer(Consumer next) {
        consumer = next;
    }

    @Override
    long latency() {
        return 0;
    }

    @Override
    void received(EthernetFrame frame, EthernetPort in, long now) {
        consumer.received(frame, now);
        fabric().giveBack(frame);
    }
}
