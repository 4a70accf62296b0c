package org.rdma4j.ibsim.sa;

import java.util.List;
import org.rdma4j.ibsim.mad.Mad;

/** What a question comes to: a status, and with a good one the records. */
record Answer(int status, List<byte[]> records) {

    static Answer of(List<byte[]> records) {
        return new Answer(Mad.OK, records);
    }

    static Answer failed(int status) {
        return new Answer(status, List.of());
    }
}
