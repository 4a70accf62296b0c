/** Decisions and their names. */
package org.rdma4j.trace;
