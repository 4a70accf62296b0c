/** Connection management of iWARP devices: identifiers of {@code org.rdma4j.cm} over MPA and TCP. */
package org.rdma4j.iwarp.cm;
