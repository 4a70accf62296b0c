/** RDMAP over DDP (RFC 5040, 5041, 7306) as machines over a byte stream: what a queue pair of an iWARP device does. */
package org.rdma4j.iwarp.rdmap;
