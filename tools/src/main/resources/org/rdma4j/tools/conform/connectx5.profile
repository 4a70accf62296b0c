# ConnectX-5 and ConnectX-6 Dx as others report them. Nobody has run `rdma4j conform` against one: a line says what to expect,
# not what was seen.
# ID | verdict | a part of the finding | what the device does

ECN-10 | AMBIGUOUS | a NAK and a CNP | With notification point and slow restart switched on, these devices send a CNP for a gap (Lumina).
