/** What a check is, the words that its story is told in, and how it is judged. */
package org.rdma4j.tools.conform.check;
