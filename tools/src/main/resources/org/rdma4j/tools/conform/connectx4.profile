# ConnectX-4 as others report it. Nobody has run `rdma4j conform` against one: a line says what to expect, not what was seen.
# ID | verdict | a part of the finding | what the device does

RNR-07 | DEVIATION | the peer did not send | ConnectX-4 sends the SEND again that got the RNR NAK, and those behind it never (reported with NVMe-oF).
