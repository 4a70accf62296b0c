/**
 * The system calls that a socket link needs, bound by the foreign function API: functions in {@link
 * org.rdma4j.rocev2.syscall.LibC}, one struct or group of constants a file besides. All of it is the 64-bit Linux ABI;
 * a test compares each offset, size and number with the C headers.
 */
package org.rdma4j.rocev2.syscall;
