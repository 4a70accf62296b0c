/** {@code rdma4j conform}: the conformance suite. */
package org.rdma4j.tools.conform;
