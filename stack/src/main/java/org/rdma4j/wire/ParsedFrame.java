package org.rdma4j.wire;

/** What a captured frame turned out to be. */
public sealed interface ParsedFrame permits RoceFrame, TcpFrame, OtherFrame, Malformed {}
