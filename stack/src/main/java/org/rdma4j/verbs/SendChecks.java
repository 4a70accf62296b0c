package org.rdma4j.verbs;

import org.rdma4j.memory.KeyTable;
import org.rdma4j.memory.Window;
import org.rdma4j.transport.SendQueue;

/** What a work request is refused for at once, before it is in a queue. */
final class SendChecks {

    private static final long MAX_MESSAGE = DeviceAttributes.SOFTWARE.maxMessageSize();

    private SendChecks() {}

    static void check(SendWorkRequest wr, SendQueue queue, QpInitAttributes qp, ProtectionDomain pd) {
        checkOperation(wr, qp.type(), pd);
        if (wr.opcode().isExtended()) {
            checkExtended(wr, qp);
        } else if (wr.opcode() == WrOpcode.BIND_MW) {
            checkBind(wr, pd);
        } else if (wr.opcode() == WrOpcode.REG_MR) {
            checkRegister(wr, pd);
        }
        if (wr.count() > queue.maxPieces()) {
            throw VerbsException.invalid("%d gather elements, max_send_sge is %d", wr.count(), queue.maxPieces());
        }
        if (wr.length() > MAX_MESSAGE) {
            throw VerbsException.invalid("a message has at most %d bytes, not %d", MAX_MESSAGE, wr.length());
        }
        if (wr.opcode().isAtomic() && wr.length() != Long.BYTES) {
            throw VerbsException.invalid("an atomic returns 8 bytes, its memory has %d", wr.length());
        }
        if (wr.isInline()) {
            checkInline(wr, queue);
        }
    }

    private static void checkOperation(SendWorkRequest wr, QpType type, ProtectionDomain pd) {
        switch (type) {
            case UD, GSI -> {
                require(wr.opcode() == WrOpcode.SEND || wr.opcode() == WrOpcode.SEND_WITH_IMM, wr, type);
                checkAddress(wr, pd);
            }
            case UC ->
                require(
                        switch (wr.opcode()) {
                            case SEND, SEND_WITH_IMM, RDMA_WRITE, RDMA_WRITE_WITH_IMM, LOCAL_INV, BIND_MW, REG_MR ->
                                true;
                            case RDMA_READ,
                                    ATOMIC_CMP_AND_SWP,
                                    ATOMIC_FETCH_AND_ADD,
                                    SEND_WITH_INV,
                                    FLUSH,
                                    ATOMIC_WRITE -> false;
                        },
                        wr,
                        type);
            case XRC_SEND -> {
                if (wr.remoteSrq() <= 0 || wr.remoteSrq() >>> 24 != 0) {
                    throw VerbsException.invalid(
                            "an XRC request names a shared receive queue of the peer's, 1 to 2^24 - 1, not %d",
                            wr.remoteSrq());
                }
            }
            case XRC_RECV -> require(false, wr, type);
            case RC -> {}
        }
    }

    private static void require(boolean known, SendWorkRequest wr, QpType type) {
        if (!known) {
            throw VerbsException.invalid("a %s queue pair does not do %s", type, wr.opcode());
        }
    }

    private static void checkAddress(SendWorkRequest wr, ProtectionDomain pd) {
        AddressHandle ah = wr.ah();
        if (ah == null) {
            throw VerbsException.invalid("a datagram needs an address handle");
        }
        if (ah.isClosed()) {
            throw VerbsException.invalid(
                    "the address handle to %s was destroyed", ah.attributes().dgid());
        }
        if (!ah.pd().equals(pd)) {
            throw VerbsException.invalid(
                    "the address handle to %s is of another protection domain",
                    ah.attributes().dgid());
        }
        if (wr.remoteAddress() >>> 24 != 0) {
            throw VerbsException.invalid("a QPN has 24 bits, 0x%x has more", wr.remoteAddress());
        }
    }

    private static void checkExtended(SendWorkRequest wr, QpInitAttributes qp) {
        if (!qp.extendedOps()) {
            throw VerbsException.invalid(
                    "%s is posted where the peer is known to have it: create the queue pair with extended operations",
                    wr.opcode());
        }
        if (wr.count() > 0) {
            throw VerbsException.invalid("%s names no memory of this side", wr.opcode());
        }
        if (wr.opcode() == WrOpcode.FLUSH && (wr.swapOrAdd() < 0 || wr.swapOrAdd() > MAX_MESSAGE)) {
            throw VerbsException.invalid("a FLUSH names 0 to %d bytes, not %d", MAX_MESSAGE, wr.swapOrAdd());
        }
        if (wr.opcode() == WrOpcode.FLUSH && wr.compare() == 0) {
            throw VerbsException.invalid("a FLUSH says what shall be where");
        }
    }

    private static void checkBind(SendWorkRequest wr, ProtectionDomain pd) {
        MemoryWindow window = wr.window();
        if (window == null) {
            throw VerbsException.invalid("BIND_MW needs a window");
        }
        if (window.isClosed()) {
            throw VerbsException.invalid("the window of BIND_MW was deallocated");
        }
        if (window.pd().device() != pd.device()) {
            throw VerbsException.invalid("the window of BIND_MW belongs to another device");
        }
        checkKey(wr.remoteKey(), window.rKey());
        String refusal = Window.rightsRefusal(window.type() == WindowType.TYPE_2, wr.access());
        if (refusal != null) {
            throw VerbsException.invalid("%s", refusal);
        }
    }

    private static void checkRegister(SendWorkRequest wr, ProtectionDomain pd) {
        MemoryRegion region = wr.region();
        if (region == null || !region.isRegisteredByWork()) {
            throw VerbsException.invalid("REG_MR needs a region that was allocated for it");
        }
        if (region.pd().device() != pd.device()) {
            throw VerbsException.invalid("the region of REG_MR belongs to another device");
        }
        checkKey(wr.remoteKey(), region.rKey());
        ProtectionDomain.checkAccess(wr.access());
    }

    private static void checkKey(int wanted, int key) {
        if (!KeyTable.haveSameIndex(wanted, key)) {
            throw VerbsException.invalid("key 0x%08x differs from 0x%08x in more than its low byte", wanted, key);
        }
    }

    private static void checkInline(SendWorkRequest wr, SendQueue queue) {
        switch (wr.opcode()) {
            case RDMA_READ, ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD, LOCAL_INV, BIND_MW, REG_MR, FLUSH, ATOMIC_WRITE ->
                throw VerbsException.invalid("%s carries no data of its own, so none inline", wr.opcode());
            case SEND, SEND_WITH_IMM, SEND_WITH_INV, RDMA_WRITE, RDMA_WRITE_WITH_IMM -> {
                if (wr.length() > queue.maxInline()) {
                    throw VerbsException.invalid(
                            "%d bytes inline, max_inline_data is %d", wr.length(), queue.maxInline());
                }
            }
        }
    }
}
