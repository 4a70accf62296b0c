/** {@code demo}: every operation of a reliable connection, checked and explained. */
package org.rdma4j.tools.demo;
