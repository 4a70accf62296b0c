/** A bad network on purpose: middleware that wraps any link and loses, reorders, doubles, damages and delays packets. */
package org.rdma4j.link.fault;
