/** Subnet administration (IBTA volume 1, 15): what a master tells others about its subnet, and multicast groups. */
package org.rdma4j.ibsim.sa;
