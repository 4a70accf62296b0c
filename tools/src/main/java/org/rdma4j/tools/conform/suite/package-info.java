/** The checks, by the catalogue's groups. */
package org.rdma4j.tools.conform.suite;
