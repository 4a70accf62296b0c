/** RoCE v2 over UDP by nothing but the JDK's own channels: any operating system, no native access. */
package org.rdma4j.rocev2.nio;
