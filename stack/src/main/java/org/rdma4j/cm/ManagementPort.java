package org.rdma4j.cm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import org.rdma4j.link.LinkException;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.verbs.AddressHandle;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.CompletionQueue;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.VerbsException;
import org.rdma4j.verbs.WcOpcode;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.CmMad;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Grh;
import org.rdma4j.wire.MadHeader;

/** Carries management datagrams to and from the general services of other ports, over the device's queue pair 1. */
final class ManagementPort implements AutoCloseable {

    /** Datagrams that may wait in each direction; what comes beyond them is lost, and comes again. */
    private static final int DEPTH = 256;

    private static final int SLOT = 512;

    /** Ways to peers that are kept. */
    private static final int MOST_WAYS = 256;

    /** Takes what has arrived. */
    interface Receiver {
        void receive(MemorySegment segment, long offset, int length, Gid remote);
    }

    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final QueuePair gsi;
    private final MemoryRegion region;
    private final WorkCompletion completion = new WorkCompletion();
    private final ReceiveWorkRequest receive = new ReceiveWorkRequest();
    private final SendWorkRequest send = new SendWorkRequest();
    private final MemorySegment outgoing = Arena.ofAuto().allocate(MadHeader.MAD_LENGTH);
    private final Map<Gid, AddressHandle> ways = new LinkedHashMap<>(16, 0.75f, true);

    ManagementPort(DeviceContext device) {
        pd = device.allocPd();
        cq = device.createCq(2 * DEPTH);
        gsi = pd.createQp(QpInitAttributes.gsi(cq).withDepths(DEPTH, DEPTH).withInline(MadHeader.MAD_LENGTH));
        region = pd.register(Arena.ofAuto().allocate((long) DEPTH * SLOT, 64), AccessFlags.LOCAL_WRITE);
        gsi.modify(new QpAttributes().state(QpState.INIT).pkeyIndex(0).qkey(QueuePair.GSI_QKEY));
        gsi.modify(new QpAttributes().state(QpState.RTR));
        gsi.modify(new QpAttributes().state(QpState.RTS).sqPsn(0));
        for (int slot = 0; slot < DEPTH; slot++) {
            post(slot);
        }
    }

    private void post(long slot) {
        gsi.postReceive(receive.reset(slot).sge(region, slot * SLOT, SLOT));
    }

    /** Takes what has arrived. @return false where that was nothing */
    boolean poll(Receiver receiver) {
        boolean worked = false;
        while (cq.poll(completion)) {
            worked = true;
            if (completion.isSuccess() && completion.opcode() == WcOpcode.RECV) {
                long at = completion.wrId() * SLOT;
                MemorySegment memory = region.memory();
                Gid remote = AhAttributes.from(completion, memory, at).dgid();
                int length = (int) completion.byteLength() - Grh.LENGTH;
                receiver.receive(memory, at + Grh.LENGTH, length, remote);
                post(completion.wrId());
            }
        }
        return worked;
    }

    /** Sends a datagram. Where that is not possible it is lost, as on a wire. */
    void send(Gid remote, CmMad mad) {
        try {
            mad.emit(outgoing, 0);
            gsi.postSend(send.reset(WrOpcode.SEND)
                    .inlineData(outgoing, 0, MadHeader.MAD_LENGTH)
                    .ud(way(remote), MadHeader.GSI_QPN, MadHeader.GSI_Q_KEY));
        } catch (VerbsException | LinkException _) {
            // Lost, as on a wire: what matters is sent again.
        }
    }

    /**
     * The way to a port.
     *
     * @throws LinkException where it cannot be reached
     */
    AddressHandle way(Gid remote) {
        AddressHandle way = ways.get(remote);
        if (way == null) {
            way = pd.createAh(AhAttributes.to(remote));
            ways.put(remote, way);
            if (ways.size() > MOST_WAYS) {
                Gid oldest = ways.keySet().iterator().next();
                ways.remove(oldest).close();
            }
        }
        return way;
    }

    @Override
    public void close() {
        gsi.close();
        region.close();
        ways.values().forEach(AddressHandle::close);
        cq.close();
        pd.close();
    }
}
