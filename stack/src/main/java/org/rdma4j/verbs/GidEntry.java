package org.rdma4j.verbs;

import org.rdma4j.link.GidType;
import org.rdma4j.wire.Gid;

/**
 * One entry of the GID table ({@code struct ibv_gid_entry}).
 *
 * @param index where it stands, from 0; what {@link AhAttributes#sgidIndex} names
 * @param port the port's number, 1
 * @param type which headers packets from this GID carry
 */
public record GidEntry(Gid gid, int index, int port, GidType type) {}
