package org.rdma4j.tools.conform.check;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.AddressHandle;
import org.rdma4j.verbs.CompletionQueue;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;

/**
 * The built-in peer's own objects, for the oracles that look behind the wire.
 *
 * @param around the registered memory with a guard zone in front and behind
 * @param way of datagrams to the hand-played side; {@code null} where the queue pair is connected
 * @param lineQpn the hand-played side's queue pair
 */
public record Inside(
        DeviceContext device,
        ProtectionDomain pd,
        QueuePair qp,
        CompletionQueue cq,
        MemoryRegion region,
        MemorySegment around,
        AddressHandle way,
        int lineQpn) {

    /** Bytes of a guard zone. */
    public static final int GUARD = 4096;

    /** What a guard zone is filled with. */
    public static final byte GUARD_BYTE = (byte) 0xA5;

    /** Where the memory that requests name is; {@link #RECEIVES} comes behind. */
    public static final int TARGET = 64 << 10;

    /** Where receives are posted. */
    public static final int RECEIVES = TARGET;

    public QpState state() {
        return qp.state();
    }

    /** So many bytes of the registered memory. */
    public byte[] bytes(long offset, int length) {
        return region.memory().asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    public void set(long offset, byte[] bytes) {
        region.memory().asSlice(offset, bytes.length).copyFrom(MemorySegment.ofArray(bytes));
    }

    /** True where no byte around the registered memory has changed. */
    public boolean guardsAreWhole() {
        return isGuard(around.asSlice(0, GUARD)) && isGuard(around.asSlice(around.byteSize() - GUARD));
    }

    private static boolean isGuard(MemorySegment zone) {
        byte[] bytes = zone.toArray(ValueLayout.JAVA_BYTE);
        for (byte each : bytes) {
            if (each != GUARD_BYTE) {
                return false;
            }
        }
        return true;
    }

    /** @return the next completion, {@code null} where there is none */
    public WorkCompletion poll() {
        WorkCompletion completion = new WorkCompletion();
        return cq.poll(completion) ? completion : null;
    }

    public long counted(Rule rule) {
        return device.decisions(rule);
    }

    /** Posts a receive; receive {@code id} lies at its own place. */
    public void receive(long id, int size) {
        qp.postReceive(new ReceiveWorkRequest().reset(id).sge(region, RECEIVES + id * size, size));
    }

    /** Posts work, numbered from 0, to the hand-played side's memory. */
    public void post(Work work) {
        for (int id = 0; id < work.count(); id++) {
            SendWorkRequest request = request(work, id);
            qp.postSend(way == null ? request : request.ud(way, lineQpn, Unacked.Q_KEY));
        }
    }

    private SendWorkRequest request(Work work, int id) {
        SendWorkRequest request = new SendWorkRequest()
                .reset(opcode(work.op()))
                .wrId(id)
                .sge(region, 0, work.size())
                .signaled();
        return switch (work.op()) {
            case SEND -> request;
            case WRITE, READ -> request.remote(Requester.ADDRESS, Requester.R_KEY);
            case FETCH_ADD -> request.remote(Requester.ADDRESS, Requester.R_KEY).fetchAdd(1);
            case COMPARE_SWAP ->
                request.remote(Requester.ADDRESS, Requester.R_KEY).compareSwap(0, 0);
        };
    }

    private static WrOpcode opcode(Work.Op op) {
        return switch (op) {
            case SEND -> WrOpcode.SEND;
            case WRITE -> WrOpcode.RDMA_WRITE;
            case READ -> WrOpcode.RDMA_READ;
            case FETCH_ADD -> WrOpcode.ATOMIC_FETCH_AND_ADD;
            case COMPARE_SWAP -> WrOpcode.ATOMIC_CMP_AND_SWP;
        };
    }
}
