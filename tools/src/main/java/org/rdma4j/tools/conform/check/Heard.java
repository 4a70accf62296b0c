package org.rdma4j.tools.conform.check;

import org.rdma4j.cm.CmEventType;

/** The events of connection management that a program has been told, where they can be seen. */
public interface Heard {

    /** True where events of this type can be seen. */
    boolean shows(CmEventType type);

    /** How many of this type and status there were so far. */
    long count(CmEventType type, int status);

    /** Of a program that does not say. */
    Heard NOTHING = new Heard() {
        @Override
        public boolean shows(CmEventType type) {
            return false;
        }

        @Override
        public long count(CmEventType type, int status) {
            return 0;
        }
    };
}
