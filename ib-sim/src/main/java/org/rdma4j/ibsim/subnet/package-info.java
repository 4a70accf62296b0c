/** Routes through a subnet, and who computes them. */
package org.rdma4j.ibsim.subnet;
