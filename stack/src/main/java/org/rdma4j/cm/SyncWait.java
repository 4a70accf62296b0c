package org.rdma4j.cm;

import java.time.Duration;

/** How a synchronous identifier waits for what it has asked for. */
final class SyncWait {

    private static final Duration FOREVER = Duration.ofDays(10_000);

    private SyncWait() {}

    /** Takes the next event. @throws CmException where it is not the one that is waited for, with what it says */
    static CmEvent next(EventChannel channel, CmEventType wanted) {
        CmEvent event = await(channel, FOREVER);
        check(event, wanted);
        return event;
    }

    /** The same within a time. @return false where it was over first */
    static boolean within(EventChannel channel, CmEventType wanted, Duration limit) {
        CmEvent event = await(channel, limit);
        if (event == null) {
            return false;
        }
        check(event, wanted);
        return true;
    }

    private static void check(CmEvent event, CmEventType wanted) {
        if (event.type() == wanted) {
            return;
        }
        CmException.Errno errno = switch (event.type()) {
            case REJECTED -> CmException.Errno.ECONNREFUSED;
            case ADDR_ERROR -> CmException.Errno.EHOSTUNREACH;
            case UNREACHABLE -> CmException.Errno.ETIMEDOUT;
            case ADDR_RESOLVED,
                    ROUTE_RESOLVED,
                    ROUTE_ERROR,
                    CONNECT_REQUEST,
                    CONNECT_RESPONSE,
                    CONNECT_ERROR,
                    ESTABLISHED,
                    DISCONNECTED,
                    MULTICAST_JOIN,
                    MULTICAST_ERROR,
                    TIMEWAIT_EXIT -> CmException.Errno.EINVAL;
        };
        boolean disconnected = event.type() == CmEventType.DISCONNECTED;
        throw new CmException(errno, disconnected ? "the peer has disconnected" : event.toString());
    }

    private static CmEvent await(EventChannel channel, Duration limit) {
        try {
            return channel.getEvent(limit);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CmException(CmException.Errno.ETIMEDOUT, "interrupted");
        }
    }
}
