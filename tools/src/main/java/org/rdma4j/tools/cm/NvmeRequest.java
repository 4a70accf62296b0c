package org.rdma4j.tools.cm;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.rdma4j.wire.PrivateData;

/**
 * What an NVMe host says in its request for a queue (NVM Express RDMA transport specification, 3.2.1), 32 bytes,
 * little-endian.
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +-------------------------------+-------------------------------+
 * |            RECFMT             |              QID              |  0
 * +-------------------------------+-------------------------------+
 * |            HRQSIZE            |            HSQSIZE            |  4
 * +-------------------------------+-------------------------------+
 * |            CNTLID             |     reserved (22 bytes)       |  8
 * +-------------------------------+-------------------------------+
 * </pre>
 *
 * @param recordFormat 0
 * @param queueId 0 is the admin queue
 * @param receiveQueueSize entries
 * @param sendQueueSize entries, less one
 * @param controllerId of an I/O queue
 */
record NvmeRequest(int recordFormat, int queueId, int receiveQueueSize, int sendQueueSize, int controllerId) {

    /** Where NVMe targets listen. */
    static final int PORT = 4420;

    static final int LENGTH = 32;

    /** Rejected for want of resources (table 12). */
    static final int NO_RESOURCES = 6;

    /** Reads it; the fill of the message's field makes up for a request that is too short. */
    static NvmeRequest parse(PrivateData data) {
        ByteBuffer bytes = ByteBuffer.allocate(LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(data.toBytes(), 0, Math.min(LENGTH, data.length())).rewind();
        return new NvmeRequest(
                bytes.getShort() & 0xFFFF,
                bytes.getShort() & 0xFFFF,
                bytes.getShort() & 0xFFFF,
                bytes.getShort() & 0xFFFF,
                bytes.getShort() & 0xFFFF);
    }

    /** The private data of a rejection: record format 0 and a status. */
    static PrivateData rejection(int status) {
        return PrivateData.of(ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putShort((short) 0)
                .putShort((short) status)
                .array());
    }

    @Override
    public String toString() {
        return String.format(
                "NVMe host: record format %d, queue %d%s, receive queue %d, send queue %d, controller %d",
                recordFormat, queueId, queueId == 0 ? " (admin)" : "", receiveQueueSize, sendQueueSize, controllerId);
    }
}
