package org.rdma4j.ibsim.sa;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.TreeMap;
import org.rdma4j.ibsim.fabric.Directory;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.NetworkOrder;

/**
 * A multicast group and its members. Its record is a MCMemberRecord (IBTA volume 1, 15.2.5.17).
 *
 * <pre>
 *  0  MGID (16)   16  PortGID (16)   32  Q_Key (4)   36  MLID (2)   38  MtuSelector, Mtu   39  TClass
 * 40  P_Key (2)   42  RateSelector, Rate   43  PacketLifeTimeSelector, PacketLifeTime   44  SL, FlowLabel, HopLimit (4)
 * 48  Scope, JoinState   49  ProxyJoin
 * </pre>
 */
final class MulticastGroup {

    static final int LENGTH = 52;
    static final int MGID = 0;
    static final int PORT_GID = 16;
    static final int Q_KEY = 32;
    static final int MLID = 36;
    static final int TRAFFIC_CLASS = 39;
    static final int P_KEY = 40;
    static final int SL_FLOW_HOP = 44;
    static final int SCOPE_JOIN_STATE = 48;

    // JoinState.
    static final int FULL = 1;
    static final int NON_MEMBER = 2;
    static final int SEND_ONLY = 4;
    static final int JOIN_STATE = 0xF;

    private final byte[] record;
    private final Map<Long, Integer> members = new TreeMap<>(); // port GUID and its JoinState

    /** @param record as its maker wants it */
    MulticastGroup(byte[] record, int lid) {
        this.record = record.clone();
        MemorySegment segment = MemorySegment.ofArray(this.record);
        segment.set(NetworkOrder.SHORT, MLID, (short) lid);
        segment.asSlice(PORT_GID, 16).fill((byte) 0);
        this.record[SCOPE_JOIN_STATE] &= ~JOIN_STATE;
    }

    static Gid groupGid(byte[] record) {
        return gid(record, MGID);
    }

    static Gid portGid(byte[] record) {
        return gid(record, PORT_GID);
    }

    private static Gid gid(byte[] record, int offset) {
        MemorySegment segment = MemorySegment.ofArray(record);
        return new Gid(segment.get(NetworkOrder.LONG, offset), segment.get(NetworkOrder.LONG, offset + 8L));
    }

    int lid() {
        return MemorySegment.ofArray(record).get(NetworkOrder.SHORT, MLID) & 0xFFFF;
    }

    /** By port GUID. */
    Map<Long, Integer> members() {
        return members;
    }

    void join(long portGuid, int joinState) {
        members.merge(portGuid, joinState, (old, fresh) -> old | fresh);
    }

    /** @return false where the port is no such member */
    boolean leave(long portGuid, int joinState) {
        int old = members.getOrDefault(portGuid, 0);
        if (joinState == 0 || (old & joinState) != joinState) {
            return false;
        }
        if (old == joinState) {
            members.remove(portGuid);
        } else {
            members.put(portGuid, old & ~joinState);
        }
        return true;
    }

    /** A group is there for its full members only (15.2.5.17.2). */
    boolean isOver() {
        return members.values().stream().noneMatch(state -> (state & FULL) != 0);
    }

    /** The group's record. */
    byte[] record() {
        byte[] all = record.clone();
        int states = members.values().stream().reduce(0, (one, other) -> one | other);
        all[SCOPE_JOIN_STATE] |= (byte) states;
        return all;
    }

    /** A member's record. */
    byte[] record(long portGuid) {
        byte[] one = record.clone();
        MemorySegment segment = MemorySegment.ofArray(one);
        segment.set(NetworkOrder.LONG, PORT_GID, Directory.DEFAULT_PREFIX);
        segment.set(NetworkOrder.LONG, PORT_GID + 8L, portGuid);
        one[SCOPE_JOIN_STATE] |= members.getOrDefault(portGuid, 0).byteValue();
        return one;
    }
}
