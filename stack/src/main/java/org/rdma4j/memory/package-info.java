/** Registered memory: regions, keys, access checks, and the bytes themselves. */
package org.rdma4j.memory;
