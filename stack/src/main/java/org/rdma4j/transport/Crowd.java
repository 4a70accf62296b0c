package org.rdma4j.transport;

/** How many queue pairs of a device wait for room on the way to their peers. */
final class Crowd {

    int size;
}
