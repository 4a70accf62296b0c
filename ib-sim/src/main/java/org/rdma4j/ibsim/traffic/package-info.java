/** Programs for the hosts of a fabric: who sends how much to whom. */
package org.rdma4j.ibsim.traffic;
