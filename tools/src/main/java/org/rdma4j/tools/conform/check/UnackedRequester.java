package org.rdma4j.tools.conform.check;

import java.util.ArrayList;
import java.util.List;
import org.rdma4j.tools.conform.craft.Expected;
import org.rdma4j.tools.conform.craft.Seen;
import org.rdma4j.verbs.QpType;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Psn;

/** A requester of UC or UD under test, and the words for what it sends: nobody answers it. */
public final class UnackedRequester extends Scene {

    private final QpType type;
    private final Work work;

    UnackedRequester(Connection connection, QpType type, Work work) {
        super(connection);
        this.type = type;
        this.work = work;
    }

    public Work work() {
        return work;
    }

    private int packetsPerMessage() {
        return Math.max(1, (work.size() + mtu() - 1) / mtu());
    }

    /** The packets of a message of the work, counted from 0. */
    public List<Expected> message(int number) {
        int count = packetsPerMessage();
        int psn = Psn.add(connection().peerPsn(), number * count);
        if (type == QpType.UD) {
            return List.of(new Expected(Opcode.UD_SEND_ONLY, psn).length(work.size()));
        }
        int first = work.op() == Work.Op.SEND ? Opcode.UC_SEND_FIRST : Opcode.UC_RDMA_WRITE_FIRST;
        List<Expected> packets = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            int kind = count == 1 ? 4 : index == 0 ? 0 : index == count - 1 ? 2 : 1;
            int length = Math.min(mtu(), work.size() - index * mtu());
            packets.add(new Expected(first + kind, Psn.add(psn, index)).length(length));
        }
        return packets;
    }

    /** A message comes, whole and in order. @return its packets */
    public List<Seen> expectMessage(int number) {
        List<Seen> packets = new ArrayList<>();
        for (Expected expected : message(number)) {
            packets.add(expectWithin(connection().timing().answer(), expected));
        }
        return packets;
    }

    /**
     * All of the work is done, though nobody has answered: inside of the peer each request completes; an ordinary program,
     * which waits for its completions when the work is outstanding, goes on with a next message.
     */
    public void succeeds() {
        if (inside() == null) {
            oracles().add(Oracle.COMPLETION);
            expectMessage(work.count());
            return;
        }
        for (int id = 0; id < work.count(); id++) {
            completes(id, WcStatus.SUCCESS);
        }
        completesNothing();
        silence();
    }

    /** An ordinary program goes on for ever. */
    @Override
    boolean isBeyond(Seen packet) {
        return inside() == null;
    }
}
