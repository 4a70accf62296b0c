/** What a capture tells: connections followed packet by packet, and what an expert would say about them. */
package org.rdma4j.analysis;
