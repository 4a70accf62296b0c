/** What RDMAP wants of TCP: byte streams, without a word of sockets. */
package org.rdma4j.iwarp.stream;
