/** What goes past an interface, for those who only look. */
package org.rdma4j.rocev2.capture;
