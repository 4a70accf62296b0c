/** The checks of iWARP, a class for each group of the catalogue. */
package org.rdma4j.tools.conform.iwarp.suite;
