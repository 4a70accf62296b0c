/** TCP inside of a process, in virtual time: for simulations and tests of what runs on top of it. */
package org.rdma4j.iwarp.memory;
