package org.rdma4j.transport;

/** Hears of the events that a queue pair raises outside of its completions. Called by the driving thread. */
public interface AsyncEventListener {

    /** Events of a queue pair, with libibverbs' numbers ({@code ibv_event_type}). */
    enum Event {
        QP_FATAL(1),
        QP_REQ_ERR(2),
        QP_ACCESS_ERR(3),
        COMM_EST(4),
        SQ_DRAINED(5),
        PATH_MIG(6),
        PATH_MIG_ERR(7),
        QP_LAST_WQE_REACHED(16);

        private final int number;

        Event(int number) {
            this.number = number;
        }

        public int number() {
            return number;
        }
    }

    void onEvent(Qp qp, Event event);
}
