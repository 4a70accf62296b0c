/** The simulated fabric's commands. */
package org.rdma4j.tools.sim;
