package org.rdma4j.transport;

import java.util.Arrays;

/**
 * Deadlines of queue pairs: a binary heap. A deadline that moves away, as one does with each acknowledgement, costs
 * nothing: the heap keeps the earlier time and looks again when that has come.
 */
final class Timers {

    private Qp[] heap = new Qp[16];
    private int size;

    /** A QP's deadline was changed. */
    void update(Qp qp) {
        if (qp.timerIndex < 0) {
            if (qp.deadline != Long.MAX_VALUE) {
                insert(qp);
            }
        } else if (qp.deadline < qp.timerKey) {
            qp.timerKey = qp.deadline;
            up(qp.timerIndex);
        }
    }

    /** Forgets a QP. */
    void remove(Qp qp) {
        int index = qp.timerIndex;
        if (index < 0) {
            return;
        }
        qp.timerIndex = -1;
        Qp last = heap[--size];
        heap[size] = null;
        if (last != qp) {
            place(last, index);
            up(index);
            down(last.timerIndex);
        }
    }

    /** No deadline is earlier than this; {@link Long#MAX_VALUE} where there is none. */
    long earliest() {
        return size == 0 ? Long.MAX_VALUE : heap[0].timerKey;
    }

    /** Fires every deadline that has passed. */
    void fire(long now) {
        while (size > 0 && heap[0].timerKey <= now) {
            Qp qp = heap[0];
            remove(qp);
            if (qp.deadline <= now) {
                qp.deadline = Long.MAX_VALUE;
                qp.timerFired(now);
            } else if (qp.deadline != Long.MAX_VALUE) {
                insert(qp);
            }
        }
    }

    private void insert(Qp qp) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size * 2);
        }
        qp.timerKey = qp.deadline;
        place(qp, size);
        up(size++);
    }

    private void up(int from) {
        int index = from;
        Qp qp = heap[index];
        while (index > 0) {
            Qp parent = heap[(index - 1) >>> 1];
            if (parent.timerKey <= qp.timerKey) {
                break;
            }
            place(parent, index);
            index = (index - 1) >>> 1;
        }
        place(qp, index);
    }

    private void down(int from) {
        int index = from;
        Qp qp = heap[index];
        while (true) {
            int child = 2 * index + 1;
            if (child >= size) {
                break;
            }
            if (child + 1 < size && heap[child + 1].timerKey < heap[child].timerKey) {
                child++;
            }
            if (heap[child].timerKey >= qp.timerKey) {
                break;
            }
            place(heap[child], index);
            index = child;
        }
        place(qp, index);
    }

    private void place(Qp qp, int index) {
        heap[index] = qp;
        qp.timerIndex = index;
    }
}
