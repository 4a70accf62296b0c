/** {@code decode}: captures in words. */
package org.rdma4j.tools.decode;
