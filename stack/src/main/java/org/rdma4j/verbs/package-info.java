/** The public API: what libibverbs offers, with its names and numbers. */
package org.rdma4j.verbs;
