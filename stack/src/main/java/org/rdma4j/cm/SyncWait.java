package org.rdma4j.cm;

/** How a synchronous identifier waits for what it has asked for. */
final class SyncWait {

    private SyncWait() {}

    /** Takes the next event. @throws CmException where it is not the one that is waited for, with what it says */
    static CmEvent next(EventChannel channel, CmEventType wanted) {
        CmEvent event = await(channel);
        if (event.type() == wanted) {
            return event;
        }
        CmException.Errno errno = switch (event.type()) {
            case REJECTED -> CmException.Errno.ECONNREFUSED;
            case ADDR_ERROR -> CmException.Errno.EHOSTUNREACH;
            case UNREACHABLE -> CmException.Errno.ETIMEDOUT;
            default -> CmException.Errno.EINVAL;
        };
        boolean disconnected = event.type() == CmEventType.DISCONNECTED;
        throw new CmException(errno, disconnected ? "the peer has disconnected" : event.toString());
    }

    private static CmEvent await(EventChannel channel) {
        try {
            return channel.getEvent();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CmException(CmException.Errno.ETIMEDOUT, "interrupted");
        }
    }
}
