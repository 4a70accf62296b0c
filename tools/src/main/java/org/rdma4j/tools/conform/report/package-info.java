/** What a run of the suite leaves behind: lines, JSON, JUnit's XML, a page of HTML. */
package org.rdma4j.tools.conform.report;
