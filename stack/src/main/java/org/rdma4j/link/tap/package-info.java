/** Taps: what people hang on a link to see its frames. */
package org.rdma4j.link.tap;
