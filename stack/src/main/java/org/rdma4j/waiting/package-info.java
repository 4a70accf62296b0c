/** How applications wait for what a device has for them. */
package org.rdma4j.waiting;
