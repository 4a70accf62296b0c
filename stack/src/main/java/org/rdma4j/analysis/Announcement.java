package org.rdma4j.analysis;

import org.rdma4j.wire.Gid;

/**
 * What two ends told each other of one direction of a connection before its first packet: by connection management, or by
 * the exchange of a tool.
 *
 * @param from whose requests these are
 * @param to who answers them
 * @param destQp the queue pair that they go to
 * @param answerQp the queue pair that sends them and gets the responses
 * @param firstPsn the PSN of the first one
 * @param mtu path MTU in bytes; 0 where it was not said
 * @param ackTimeout nanoseconds until the requester loses patience, at least; 0 where it was not said
 * @param readDepth READs and atomics that may be outstanding; 0 where it was not said
 * @param rKey of the memory that the requests may use; 0 where it was not said
 * @param address where that memory begins for the requester; 0 where it was not said
 * @param fromClient whether the requester is the one that sought the other
 * @param said who said it: {@code "CM"}, {@code "perftest"}, {@code "pingpong"}
 * @param frame the frame that completed it
 */
public record Announcement(
        Gid from,
        Gid to,
        int destQp,
        int answerQp,
        int firstPsn,
        int mtu,
        long ackTimeout,
        int readDepth,
        int rKey,
        long address,
        boolean fromClient,
        String said,
        long frame) {}
