package org.rdma4j.tools.bench;

import org.rdma4j.ibsim.fabric.ChannelAdapter;
import org.rdma4j.ibsim.fabric.FabricPacket;
import org.rdma4j.ibsim.fabric.Port;
import org.rdma4j.ibsim.time.Event;
import org.rdma4j.ibsim.time.EventQueue;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Icrc;
import org.rdma4j.wire.Lrh;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Vcrc;

/**
 * An adapter without a transport: it sends packets of one length to the other LIDs in turn, as fast as its port takes them,
 * and forgets what comes. What a fabric costs by itself is measured with these.
 */
final class PacketFlood extends Event {

    private static final int HEADERS = Lrh.LENGTH + Bth.LENGTH;
    private static final int PKEY = 0xFFFF;
    private static final int QPN = 2;

    private final ChannelAdapter adapter;
    private final Port port;
    private final EventQueue events;
    private final int[] lids;
    private final int words;
    private final Bth bth = new Bth(Opcode.UC_SEND_ONLY, false, false, 0, 0, PKEY, false, false, 0, QPN, false, 0, 0);
    private int next;

    /**
     * @param lids where it sends to, its own perhaps among them
     * @param payload bytes, a multiple of 4
     */
    PacketFlood(ChannelAdapter adapter, int[] lids, int payload) {
        this.adapter = adapter;
        this.port = adapter.port(1);
        this.events = adapter.fabric().events();
        this.lids = lids;
        this.words = (HEADERS + payload + Icrc.LENGTH) / Integer.BYTES;
        this.next = adapter.index();
        adapter.setConsumer((packet, at, now) -> {});
        port.onRoom(time -> {
            if (!isPlanned()) {
                events.plan(this, time);
            }
        });
        events.plan(this, events.now());
    }

    @Override
    protected void happen(long now) {
        while (port.hasRoom()) {
            next = (next + 1) % lids.length;
            if (lids[next] != port.settings().lid()) {
                adapter.send(packet(lids[next]), port, now);
            }
        }
    }

    private FabricPacket packet(int lid) {
        FabricPacket packet = adapter.fabric().newPacket();
        int from = port.settings().lid();
        Lrh.write(packet.bytes(), 0, 0, 0, Lrh.LNH_IBA_LOCAL, lid, words, from);
        bth.emit(packet.bytes(), Lrh.LENGTH);
        packet.setLength(words * Integer.BYTES + Vcrc.LENGTH);
        packet.leaveUnsealed();
        return packet;
    }
}
