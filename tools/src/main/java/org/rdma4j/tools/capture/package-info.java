/** {@code capture}: what goes past an interface, into files. */
package org.rdma4j.tools.capture;
