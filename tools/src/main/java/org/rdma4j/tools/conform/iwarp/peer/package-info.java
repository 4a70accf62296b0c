/** Who is under test over iWARP: a device of this process, or a real one that runs nothing but ordinary programs. */
package org.rdma4j.tools.conform.iwarp.peer;
