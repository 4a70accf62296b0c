package org.rdma4j.ibsim.mad;

import java.util.function.Consumer;
import org.rdma4j.ibsim.fabric.Node;
import org.rdma4j.ibsim.fabric.Switch;
import org.rdma4j.ibsim.time.Event;
import org.rdma4j.ibsim.time.EventQueue;
import org.rdma4j.wire.MadHeader;

/**
 * The traps of a switch (IBTA volume 1, 14.3.13): each is sent again at a slow pace until the manager represses it, but not
 * for ever.
 */
final class Traps {

    private static final int NOTICE = 0x02;

    /** IsGeneric, and the type of urgent notices. */
    private static final int GENERIC_URGENT = 0x81;

    private static final int FROM_SWITCH = 2;
    private static final int PRODUCER = Mad.DATA + 1;
    private static final int NUMBER = Mad.DATA + 4;
    private static final int ISSUER_LID = Mad.DATA + 6;
    private static final int DETAILS = Mad.DATA + 10;

    private static final long PERIOD = 1_000_000_000_000L;
    private static final int REPEATS = 10;

    private final Node node;
    private final Consumer<Mad> send;
    private final Event repeat = new Repeat();
    private long transaction;
    private int number;
    private int left;

    /** @param send takes it to the manager */
    Traps(Node node, Consumer<Mad> send) {
        this.node = node;
        this.send = send;
    }

    /** Sends one, in place of any that is still being repeated. Adapters have none of this kind. */
    void send(int trap) {
        if (node instanceof Switch) {
            number = trap;
            left = REPEATS;
            transaction++;
            EventQueue events = node.fabric().events();
            events.move(repeat, events.now());
        }
    }

    void repress(Mad mad) {
        if (mad.int16(NUMBER) == number) {
            node.fabric().events().cancel(repeat);
        }
    }

    private final class Repeat extends Event {
        @Override
        protected void happen(long now) {
            send.accept(notice());
            if (--left > 0) {
                node.fabric().events().plan(this, now + PERIOD);
            }
        }
    }

    private Mad notice() {
        Mad mad = new Mad();
        mad.setInt8(MadHeader.BASE_VERSION_OFFSET, MadHeader.BASE_VERSION);
        mad.setInt8(MadHeader.MANAGEMENT_CLASS_OFFSET, Mad.SUBNET_LID_ROUTED);
        mad.setInt8(MadHeader.CLASS_VERSION_OFFSET, 1);
        mad.setMethod(Mad.TRAP);
        mad.setInt64(MadHeader.TRANSACTION_ID_OFFSET, transaction);
        mad.setAttribute(NOTICE, 0);
        int lid = node.port(0).settings().lid();
        mad.setInt8(Mad.DATA, GENERIC_URGENT);
        mad.setInt8(PRODUCER + 2, FROM_SWITCH);
        mad.setInt16(NUMBER, number);
        mad.setInt16(ISSUER_LID, lid);
        mad.setInt16(DETAILS, lid);
        return mad;
    }
}
