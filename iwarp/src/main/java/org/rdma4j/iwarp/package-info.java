/**
 * iWARP devices: {@code iwarp:ADDRESS}. Opened by name as any other device; what only they have, connections over TCP, is
 * {@link org.rdma4j.iwarp.IwarpConnections}.
 */
package org.rdma4j.iwarp;
