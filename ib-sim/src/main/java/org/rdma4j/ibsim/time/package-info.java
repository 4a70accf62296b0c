/** Virtual time: events in the order in which they happen, the same one on every run. */
package org.rdma4j.ibsim.time;
