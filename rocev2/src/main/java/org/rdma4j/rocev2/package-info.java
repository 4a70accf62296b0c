/** RoCE links by their names. */
package org.rdma4j.rocev2;
