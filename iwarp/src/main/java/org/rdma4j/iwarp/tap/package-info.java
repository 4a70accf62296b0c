/** What crosses iWARP's connections, shown as the frames that a network card would have seen. */
package org.rdma4j.iwarp.tap;
