/** The side that is played by hand: packets of any kind, sent over any link, and what comes back. */
package org.rdma4j.tools.conform.craft;
