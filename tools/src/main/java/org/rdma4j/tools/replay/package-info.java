/** Captures put to work: sent once more, or one side of them played against a live peer. */
package org.rdma4j.tools.replay;
