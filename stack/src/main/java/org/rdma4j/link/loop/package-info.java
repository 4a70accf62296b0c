/** Links inside one process: real RoCE v2 frames, no network. For tests, teaching and simulation. */
package org.rdma4j.link.loop;
