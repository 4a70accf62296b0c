/** What the machine can do, and what rdma4j does of it. */
package org.rdma4j.tools.bench;
