/** Connection management: the API of librdmacm, over the state machine of the InfiniBand communication manager. */
package org.rdma4j.cm;
