/** Congestion control of RoCE v2: what a sender does about the marks that its packets get on the way. */
package org.rdma4j.congestion;
