package org.rdma4j.rocev2.packet;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.rdma4j.rocev2.capture.FrameCapture;
import org.rdma4j.rocev2.ethernet.FrameHandler;
import org.rdma4j.rocev2.syscall.Tpacket2Hdr;
import org.rdma4j.wire.EthernetHeader;
import org.rdma4j.wire.VlanTag;

/** Frames that the kernel has put into the ring, slot behind slot. */
final class ReceiveRing {

    /** Frames given to the handler in one {@link #poll} at most, so that the caller can answer in between. */
    private static final int BATCH = 128;

    private static final System.Logger LOG = System.getLogger(ReceiveRing.class.getName());

    private final MemorySegment memory;
    private final ByteBuffer view;
    private final int[] slots;
    private final String card;
    private int next;
    private boolean cutTold;

    ReceiveRing(MemorySegment memory, ByteBuffer view, int[] slots, String card) {
        this.memory = memory;
        this.view = view;
        this.slots = slots;
        this.card = card;
    }

    void poll(FrameHandler handler) {
        for (int frame = 0; frame < BATCH; frame++) {
            int slot = slots[next];
            int status = Tpacket2Hdr.status(memory, slot);
            if ((status & Tpacket2Hdr.TP_STATUS_USER) == 0) {
                return;
            }
            int length = Tpacket2Hdr.captured(memory, slot);
            if (length < Tpacket2Hdr.length(memory, slot)) {
                tellCut(Tpacket2Hdr.length(memory, slot));
            }
            int at = slot + Tpacket2Hdr.frameOffset(memory, slot);
            if ((status & Tpacket2Hdr.TP_STATUS_VLAN_VALID) != 0) {
                at = putTagBack(slot, at, (status & Tpacket2Hdr.TP_STATUS_VLAN_TPID_VALID) != 0);
                length += VlanTag.LENGTH;
            }
            handler.onFrame(memory, view, at, length);
            Tpacket2Hdr.setStatus(memory, slot, Tpacket2Hdr.TP_STATUS_KERNEL);
            next = next + 1 < slots.length ? next + 1 : 0;
        }
    }

    /** For those who only look. @return how many frames there were */
    int poll(FrameCapture.Handler handler) {
        for (int frame = 0; frame < BATCH; frame++) {
            int slot = slots[next];
            int status = Tpacket2Hdr.status(memory, slot);
            if ((status & Tpacket2Hdr.TP_STATUS_USER) == 0) {
                return frame;
            }
            int length = Tpacket2Hdr.captured(memory, slot);
            int original = Tpacket2Hdr.length(memory, slot);
            int at = slot + Tpacket2Hdr.frameOffset(memory, slot);
            if ((status & Tpacket2Hdr.TP_STATUS_VLAN_VALID) != 0) {
                at = putTagBack(slot, at, (status & Tpacket2Hdr.TP_STATUS_VLAN_TPID_VALID) != 0);
                length += VlanTag.LENGTH;
                original += VlanTag.LENGTH;
            }
            handler.onFrame(Tpacket2Hdr.nanos(memory, slot), memory, at, length, original);
            Tpacket2Hdr.setStatus(memory, slot, Tpacket2Hdr.TP_STATUS_KERNEL);
            next = next + 1 < slots.length ? next + 1 : 0;
        }
        return BATCH;
    }

    /** The kernel keeps a tag beside the frame; PACKET_RESERVE left room for it in front. Returns the new start. */
    private int putTagBack(int slot, int at, boolean knowsProtocol) {
        int start = at - VlanTag.LENGTH;
        MemorySegment.copy(memory, at, memory, start, EthernetHeader.ETHER_TYPE_OFFSET);
        int control = Tpacket2Hdr.vlanControl(memory, slot);
        VlanTag.write(
                memory,
                start + EthernetHeader.ETHER_TYPE_OFFSET,
                knowsProtocol ? Tpacket2Hdr.vlanProtocol(memory, slot) : VlanTag.CUSTOMER,
                control >>> 13,
                (control & 0x1000) != 0,
                control);
        return start;
    }

    private void tellCut(int length) {
        if (!cutTold) {
            cutTold = true;
            LOG.log(
                    System.Logger.Level.WARNING,
                    () -> card + " brings a frame of " + length
                            + " bytes, longer than its MTU allows: the sender, on this"
                            + " same host, leaves cutting to the card. Frames like it are lost; on the sender's interface,"
                            + " ethtool -K NAME tx-udp-segmentation off ends that");
        }
    }
}
