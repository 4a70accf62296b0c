# Linux rxe 6.1 (Debian 12) as a conformance peer: what `rdma4j conform --peer rxe` finds, held by a lab test.
# ID | verdict | a part of the finding | what rxe does

HDR-01a | PASS |  |
HDR-01b | PASS |  |
HDR-01c | PASS |  |
HDR-02 | PASS |  |
HDR-03a | PASS |  |
HDR-03b | PASS |  |
HDR-03c | PASS |  |
HDR-04 | PASS |  |
HDR-05 | PASS |  |
HDR-06a | PASS |  |
HDR-06b | PASS |  |
HDR-06c | PASS |  |
HDR-07a | AMBIGUOUS | dropped | rxe looks the opcode up before it looks for a queue pair, and drops what its table does not have.
HDR-07b | AMBIGUOUS | dropped | rxe looks the opcode up before it looks for a queue pair, and drops what its table does not have.
HDR-07c | AMBIGUOUS | dropped | rxe looks the opcode up before it looks for a queue pair, and drops what its table does not have.
HDR-08a | PASS |  |
HDR-08b | PASS |  |
HDR-09a | PASS |  |
HDR-09b | PASS |  |
HDR-09c | PASS |  |
HDR-09d | PASS |  |
HDR-16 | PASS |  |
HDR-17 | PASS |  |
HDR-27 | PASS |  |
HDR-28a | PASS |  |
HDR-28b | PASS |  |
HDR-29 | PASS |  |
ECN-09 | PASS |  |
ECN-08 | PASS |  |
QPS-03a | PASS |  |
QPS-03b | PASS |  |
QPS-03c | PASS |  |
CRC-01a | PASS |  |
CRC-01b | PASS |  |
CRC-01c | PASS |  |
CRC-01d | PASS |  |
CRC-01e | PASS |  |
CRC-01f | PASS |  |
CRC-02a | PASS |  |
CRC-02b | PASS |  |
CRC-02c | PASS |  |
CRC-02d | PASS |  |
CRC-02e | PASS |  |
CRC-04 | PASS |  |
CRC-05 | PASS |  |
CRC-06a | PASS |  |
CRC-06b | PASS |  |
PSN-01 | PASS |  |
PSN-02 | PASS |  |
PSN-03 | PASS |  |
PSN-04 | PASS |  |
PSN-05 | PASS |  |
PSN-06 | PASS |  |
PSN-07 | PASS |  |
PSN-08 | PASS |  |
PSN-14a | PASS |  |
PSN-14b | PASS |  |
PSN-15a | PASS |  |
PSN-15b | NOT_APPLICABLE |  |
PSN-12 | PASS |  |
ACK-01a | PASS |  |
ACK-01b | PASS |  |
ACK-02 | PASS |  |
ACK-03 | PASS |  |
ACK-04 | PASS |  |
ACK-05a | PASS |  |
ACK-05b | PASS |  |
ACK-05c | PASS |  |
ACK-06 | PASS |  |
ACK-07a | PASS |  |
ACK-07b | PASS |  |
ACK-08 | PASS |  |
ACK-09 | NOT_APPLICABLE |  |
ACK-10 | NOT_APPLICABLE |  |
ACK-11 | NOT_APPLICABLE |  |
ACK-29 | PASS |  |
ACK-12 | PASS |  |
ACK-13 | PASS |  |
ACK-14 | PASS |  |
ACK-15 | PASS |  |
ACK-16 | PASS |  |
ACK-17 | DEVIATION | went on with its next message | rxe takes an ACK from behind all that it sent for one of all that is outstanding.
ACK-18 | PASS |  |
ACK-19a | AMBIGUOUS | the request fails | rxe fails the request with REM_OP_ERR at any syndrome that it does not know.
ACK-19b | AMBIGUOUS | the request fails | rxe fails the request with REM_OP_ERR at any syndrome that it does not know.
ACK-20 | AMBIGUOUS | the request fails | rxe fails the request with REM_OP_ERR at any NAK cause that it does not know.
ACK-21 | PASS |  |
ACK-22a | PASS |  |
ACK-22b | PASS |  |
ACK-23 | PASS |  |
ACK-24 | PASS |  |
ACK-25 | PASS |  |
ACK-26a | PASS |  |
ACK-26b | PASS |  |
ACK-27 | PASS |  |
ACK-28 | PASS |  |
ACK-30 | NOT_APPLICABLE |  |
RNR-01a | PASS |  |
RNR-01b | NOT_APPLICABLE |  |
RNR-01c | PASS |  |
RNR-02 | DEVIATION | NAK PSN sequence error | rxe does not remember that it sent an RNR NAK: the first packet behind gets a sequence NAK as well. A requester that waits ignores it.
RNR-03a | PASS |  |
RNR-03b | PASS |  |
RNR-04a | PASS |  |
RNR-05 | NOT_APPLICABLE |  |
RNR-17 | PASS |  |
RNR-06a | PASS |  |
RNR-06b | PASS |  |
RNR-06c | PASS |  |
RNR-06d | PASS |  |
RNR-06e | PASS |  |
RNR-07 | PASS |  |
RNR-08 | NOT_APPLICABLE |  |
RNR-09 | PASS |  |
RNR-10 | NOT_APPLICABLE |  |
RNR-11 | PASS |  |
RNR-12 | NOT_APPLICABLE |  |
RNR-13 | PASS |  |
RNR-14 | NOT_APPLICABLE |  |
RDA-01a | PASS |  |
RDA-01b | PASS |  |
RDA-01c | PASS |  |
RDA-01d | PASS |  |
RDA-01e | PASS |  |
RDA-01f | PASS |  |
RDA-03 | PASS |  |
RDA-04 | PASS |  |
RDA-05a | AMBIGUOUS | the tail goes on with MIDDLE and LAST | rxe gives the repeated packets the opcodes that they had the first time.
RDA-05b | AMBIGUOUS | LAST | rxe gives the repeated packet the opcode that it had the first time.
RDA-06a | PASS |  |
RDA-06b | PASS |  |
RDA-06c | PASS |  |
RDA-07 | NOT_APPLICABLE |  |
RDA-08 | NOT_APPLICABLE |  |
RDA-09 | NOT_APPLICABLE |  |
RDA-20a | PASS |  |
RDA-20b | PASS |  |
RDA-21a | PASS |  |
RDA-21b | PASS |  |
RDA-22a | PASS |  |
RDA-22b | PASS |  |
RDA-24a | PASS |  |
RDA-24b | PASS |  |
RDA-24c | PASS |  |
RDA-25 | NOT_APPLICABLE |  |
RDA-26 | PASS |  |
PSN-09 | PASS |  |
PSN-10 | PASS |  |
PSN-13 | PASS |  |
PSN-07b | PASS |  |
RDA-10 | NOT_APPLICABLE |  |
RDA-11a | PASS |  |
RDA-11b | PASS |  |
RDA-11c | PASS |  |
RDA-12 | PASS |  |
RDA-13 | PASS |  |
RDA-14 | AMBIGUOUS | the READ fails | rxe completes the READ with an error (BAD_RESP) when a response has an opcode that cannot come next.
RDA-15a | AMBIGUOUS | the READ is asked for again | rxe does not compare a response packet with the path MTU. It counts bytes: at its timeout it asks for those that are missing.
RDA-15b | AMBIGUOUS | the READ is asked for again | rxe does not compare a response packet with the path MTU. It counts bytes: at its timeout it asks for those that are missing.
RDA-16a | AMBIGUOUS | the READ is asked for again | rxe takes an early LAST, counts bytes, and at its timeout asks for those that are missing.
RDA-16b | PASS |  |
RDA-16c | PASS |  |
RDA-16d | DEVIATION | the READ neither failed nor was it asked for again | rxe takes the short ONLY and then neither completes the READ nor asks for the rest: the request hangs.
RDA-17 | AMBIGUOUS |  | rxe fails the request, though not with BAD_RESP_ERR: a READ response does not fit a WRITE.
RDA-28a | PASS |  |
RDA-28b | PASS |  |
RDA-29 | NOT_APPLICABLE |  |
RDA-30 | NOT_APPLICABLE |  |
RDA-31 | NOT_APPLICABLE |  |
RDA-18 | PASS |  |
MEM-07 | NOT_APPLICABLE |  |
RTX-01 | PASS |  |
RTX-02 | NOT_APPLICABLE |  |
RTX-03a | NOT_APPLICABLE |  |
RTX-03b | NOT_APPLICABLE |  |
RTX-04 | NOT_APPLICABLE |  |
RTX-07 | NOT_APPLICABLE |  |
RTX-14 | PASS |  |
RTX-20 | PASS |  |
RTX-08a | PASS |  |
RTX-08b | PASS |  |
RTX-09 | PASS |  |
RTX-10 | PASS |  |
RTX-11 | PASS |  |
RTX-12 | PASS |  |
RTX-15 | PASS |  |
RTX-16 | NOT_APPLICABLE |  |
OPS-10a | PASS |  |
OPS-10b | PASS |  |
OPS-10c | PASS |  |
OPS-10d | PASS |  |
OPS-10e | PASS |  |
OPS-10f | PASS |  |
OPS-11 | NOT_APPLICABLE |  |
OPS-10g | PASS |  |
OPS-10h | PASS |  |
HDR-26 | PASS |  |
ECN-07 | PASS |  |
OPS-01a | PASS |  |
OPS-01b | PASS |  |
OPS-01c | PASS |  |
OPS-01d | PASS |  |
OPS-02a | PASS |  |
OPS-02b | PASS |  |
OPS-02c | PASS |  |
OPS-03a | PASS |  |
OPS-03b | PASS |  |
OPS-03c | PASS |  |
OPS-04a | PASS |  |
OPS-04b | PASS |  |
OPS-13 | PASS |  |
OPS-05a | PASS |  |
OPS-05b | PASS |  |
OPS-05c | PASS |  |
OPS-05d | PASS |  |
OPS-08a | PASS |  |
OPS-08b | PASS |  |
OPS-09 | NOT_APPLICABLE |  |
OPS-07 | NOT_APPLICABLE |  |
QPS-04 | PASS |  |
QPS-04b | NOT_APPLICABLE |  |
QPS-07 | NOT_APPLICABLE |  |
QPS-01 | NOT_APPLICABLE |  |
KEY-01a | PASS |  |
KEY-01b | PASS |  |
KEY-01c | PASS |  |
KEY-01d | PASS |  |
KEY-02a | PASS |  |
KEY-02b | PASS |  |
KEY-04a | PASS |  |
KEY-04b | PASS |  |
KEY-04c | PASS |  |
KEY-04d | PASS |  |
KEY-04e | PASS |  |
KEY-04f | PASS |  |
KEY-04g | PASS |  |
KEY-04h | NOT_APPLICABLE |  |
KEY-04i | NOT_APPLICABLE |  |
KEY-03 | NOT_APPLICABLE |  |
KEY-05 | NOT_APPLICABLE |  |
KEY-07 | NOT_APPLICABLE |  |
KEY-09 | NOT_APPLICABLE |  |
KEY-06a | PASS |  |
KEY-06b | PASS |  |
KEY-06c | PASS |  |
RDA-23 | PASS |  |
OPS-12 | PASS |  |
KEY-11 | PASS |  |
KEY-12a | PASS |  |
KEY-12b | PASS |  |
KEY-13a | PASS |  |
KEY-13b | PASS |  |
LEN-01a | PASS |  |
LEN-01b | PASS |  |
LEN-01c | PASS |  |
LEN-01d | DEVIATION | the peer did not send | rxe does not compare a SEND packet with the path MTU: a short FIRST is copied to the receive and no NAK is sent. WRITEs are compared.
LEN-02a | PASS |  |
LEN-02b | DEVIATION | syndrome ACK in place of NAK invalid request | rxe takes a SEND LAST without payload.
LEN-03a | PASS |  |
LEN-03b | PASS |  |
LEN-03c | DEVIATION | syndrome ACK in place of NAK invalid request | rxe does not compare a SEND packet with the path MTU: a longer ONLY is taken where the receive has room.
LEN-04 | PASS |  |
LEN-05 | PASS |  |
LEN-06 | PASS |  |
LEN-07a | DEVIATION | NAK remote access error | rxe looks at the range first; a length above 2^31 is outside of every region.
LEN-07b | DEVIATION | NAK remote access error | rxe looks at the range first; a length above 2^31 is outside of every region.
LEN-08 | PASS |  |
LEN-09a | PASS |  |
LEN-09b | PASS |  |
LEN-09c | PASS |  |
LEN-09d | PASS |  |
LEN-16 | PASS |  |
LEN-09e | DEVIATION | RDMA_READ_RESPONSE_ONLY | rxe does not look at what stands behind the RETH of a READ request.
LEN-10 | DEVIATION | NAK remote operational error | rxe calls it an operational error (ConnectX: invalid request).
LEN-11 | PASS |  |
MEM-06 | NOT_APPLICABLE |  |
MEM-08 | NOT_APPLICABLE |  |
MEM-01 | NOT_APPLICABLE |  |
MEM-02 | NOT_APPLICABLE |  |
MEM-04 | PASS |  |
MEM-09 | NOT_APPLICABLE |  |
CNT-01a | NOT_APPLICABLE |  |
CNT-01b | NOT_APPLICABLE |  |
CNT-01c | NOT_APPLICABLE |  |
CNT-01d | NOT_APPLICABLE |  |
CNT-01e | NOT_APPLICABLE |  |
CNT-01f | NOT_APPLICABLE |  |
CNT-02 | NOT_APPLICABLE |  |
UC-01a | DEVIATION | did not send | Where a message of UC broke off, rxe drops the packet that starts the next one with it (its class D1 error resets the receive, not the packet).
UC-01b | DEVIATION | did not send | Where a message of UC broke off, rxe drops the packet that starts the next one with it (its class D1 error resets the receive, not the packet); where no receive was taken, as for WRITEs, it never takes a message again.
UC-01c | DEVIATION | did not send | Where a message of UC broke off, rxe drops the packet that starts the next one with it (its class D1 error resets the receive, not the packet).
UC-01d | DEVIATION | did not send | Where a message of UC broke off, rxe drops the packet that starts the next one with it (its class D1 error resets the receive, not the packet).
UC-02a | PASS |  |
UC-02b | PASS |  |
UC-02c | PASS |  |
UC-03 | DEVIATION | did not send | Where a message of UC broke off, rxe drops the packet that starts the next one with it (its class D1 error resets the receive, not the packet).
UC-04a | PASS |  |
UC-04b | PASS |  |
UC-04c | PASS |  |
UC-04d | DEVIATION | did not send | Where a message of UC broke off, rxe drops the packet that starts the next one with it (its class D1 error resets the receive, not the packet).
UC-05a | NOT_APPLICABLE |  |
UC-05b | PASS |  |
UC-06a | PASS |  |
UC-06b | PASS |  |
UC-06c | PASS |  |
UC-06d | DEVIATION | status 2 | rxe calls a receive that is too small a malformed one: LOC_QP_OP_ERR in place of LOC_LEN_ERR.
UC-06e | DEVIATION | should have been silent | rxe does not check payloads of UC against the path MTU.
UC-06f | DEVIATION | should have been silent | rxe does not check payloads of UC against the path MTU.
UC-07a | PASS |  |
UC-07b | PASS |  |
UC-07c | PASS |  |
UC-07d | PASS |  |
UC-07e | PASS |  |
UC-08a | PASS |  |
UC-08b | PASS |  |
UD-01 | PASS |  |
UD-02 | NOT_APPLICABLE |  |
UD-03 | NOT_APPLICABLE |  |
UD-04 | DEVIATION | status 2 | rxe calls a receive that is too small a malformed one: LOC_QP_OP_ERR in place of LOC_LEN_ERR.
UD-05a | PASS |  |
UD-05b | PASS |  |
UD-05c | PASS |  |
UD-05d | PASS |  |
UD-06 | PASS |  |
UD-07 | PASS |  |
UD-08 | NOT_APPLICABLE |  |
UD-11 | PASS |  |
UD-12 | PASS |  |
KEY-14 | PASS |  |
ECN-01a | AMBIGUOUS | no CNP | rxe does no congestion management: it sends no CNPs.
ECN-01b | NOT_APPLICABLE |  |
ECN-02 | NOT_APPLICABLE |  |
ECN-03 | NOT_APPLICABLE |  |
ECN-04a | AMBIGUOUS | no CNP | rxe does no congestion management: it sends no CNPs.
ECN-04b | AMBIGUOUS | no CNP | rxe does no congestion management: it sends no CNPs.
ECN-04c | PASS |  |
ECN-04d | PASS |  |
ECN-05a | PASS |  |
ECN-05b | PASS |  |
ECN-05c | PASS |  |
ECN-05d | PASS |  |
ECN-06a | AMBIGUOUS | not ECN-capable | rxe does no congestion management: its packets are not ECN-capable.
ECN-06b | NOT_APPLICABLE |  |
ECN-08b | PASS |  |
ECN-08c | PASS |  |
ECN-08d | PASS |  |
ECN-08e | PASS |  |
ECN-10 | PASS |  |
ECN-11 | NOT_APPLICABLE |  |
CM-01a | PASS |  |
CM-01b | PASS |  |
CM-02a | AMBIGUOUS | nothing | A copy of a REQ whose REP is out is dropped; the REP comes again when it is due.
CM-02b | PASS |  |
CM-02c | PASS |  |
CM-02d | AMBIGUOUS | nothing | The ID alone tells whether a REQ is a copy.
CM-03a | PASS |  |
CM-03b | DEVIATION | it sent REP | rxe raises no COMM_EST, so its CM does not hear of the first packet, and the REP goes out again.
CM-03c | PASS |  |
CM-03d | PASS |  |
CM-03e | PASS |  |
CM-04a | PASS |  |
CM-04b | PASS |  |
CM-05 | NOT_APPLICABLE |  |
CM-06a | PASS |  |
CM-06b | PASS |  |
CM-06c | PASS |  |
CM-07 | PASS |  |
CM-08a | DEVIATION | reason 28 | Linux' CM does not look at the path MTU; what comes of it is no REP, but a rejection by the application.
CM-08b | DEVIATION | the peer said REP | Linux' CM does not look at the path MTU, and takes a request without one.
CM-09 | DEVIATION | the peer said RTU | Linux' CM does not compare the REP's initiator depth with what its REQ has offered.
CM-10a | DEVIATION | reason 28 | rdma_cm drops a request of another type than the listener's, which the CM sends as a rejection by the application.
CM-10b | DEVIATION | reason 28 | rdma_cm drops a request of another type than the listener's, which the CM sends as a rejection by the application.
CM-10c | DEVIATION | reason 28 | rdma_cm drops a request of another type than the listener's, which the CM sends as a rejection by the application.
CM-11 | PASS |  |
CM-12a | PASS |  |
CM-12b | PASS |  |
CM-13a | PASS |  |
CM-13b | PASS |  |
CM-13c | PASS |  |
CM-13d | PASS |  |
CM-14a | PASS |  |
CM-14b | PASS |  |
CM-14c | AMBIGUOUS | nothing | A REP that names no connection is dropped.
CM-14d | PASS |  |
CM-15a | DEVIATION | the peer said nothing | The REP goes out as often as it should, and its program hears UNREACHABLE; the peer is not told.
CM-16a | NOT_APPLICABLE |  |
CM-16b | NOT_APPLICABLE |  |
CM-17a | PASS |  |
CM-17b | PASS |  |
CM-17c | NOT_APPLICABLE |  |
CM-17d | AMBIGUOUS | another queue pair | A SIDR_REQ that was answered is forgotten; a copy goes to the program as a new one.
CM-17e | PASS |  |
CM-17f | PASS |  |
CM-17g | PASS |  |
CM-18a | DEVIATION | the peer said nothing | Linux' CM drops each LAP that comes over RoCE.
CM-18b | DEVIATION | the peer said nothing | Linux' CM drops each LAP that comes over RoCE.
CM-19a | AMBIGUOUS | reason 28 | rdma_cm finds no listener for such a request, which the CM sends as a rejection by the application.
CM-19b | PASS |  |
CM-20 | PASS |  |
CM-21a | NOT_APPLICABLE |  |
CM-21b | NOT_APPLICABLE |  |
CM-22a | PASS |  |
CM-22b | PASS |  |
CM-22c | PASS |  |
CM-22d | PASS |  |
CM-22e | DEVIATION | the peer said nothing | Linux' MAD layer has nobody who takes class version 1, and drops it.
CM-22f | DEVIATION | it sent REP | Linux' MAD layer does not look at a datagram's length.
CM-22g | PASS |  |
CM-23a | PASS |  |
CM-23b | PASS |  |
CM-23c | PASS |  |
CM-23d | PASS |  |
CM-23e | PASS |  |
CM-23f | PASS |  |
CM-23g | PASS |  |
CM-23h | PASS |  |
CM-24 | PASS |  |
CM-25a | PASS |  |
CM-25b | AMBIGUOUS | 0 | rxe sends MigReq 0 in every packet.
HDR-10a | PASS |  |
HDR-10b | PASS |  |
HDR-10c | PASS |  |
HDR-11 | PASS |  |
HDR-12a | PASS |  |
HDR-12b | PASS |  |
HDR-12c | PASS |  |
HDR-14 | PASS |  |
HDR-15a | PASS |  |
HDR-15b | PASS |  |
HDR-15c | AMBIGUOUS | dropped | Linux checks UDP checksums before rxe sees the packet.
HDR-19 | PASS |  |
HDR-20 | PASS |  |
HDR-21a | PASS |  |
HDR-21b | AMBIGUOUS | dropped | It is not taken; whether the guest's card, its kernel or rxe drops it was not looked into.
HDR-24 | PASS |  |
HDR-13a | PASS |  |
HDR-13b | PASS |  |
HDR-13c | PASS |  |
HDR-25a | PASS |  |
HDR-25b | PASS |  |
HDR-25c | PASS |  |
QPS-02 | NOT_APPLICABLE |  |
QPS-03d | NOT_APPLICABLE |  |
QPS-09 | NOT_APPLICABLE |  |
QPS-11 | NOT_APPLICABLE |  |
QPS-13a | NOT_APPLICABLE |  |
QPS-13b | NOT_APPLICABLE |  |
QPS-14 | NOT_APPLICABLE |  |
QPS-16 | NOT_APPLICABLE |  |
MEM-03 | NOT_APPLICABLE |  |
MEM-05 | NOT_APPLICABLE |  |
CNT-01g | NOT_APPLICABLE |  |
CNT-01h | NOT_APPLICABLE |  |
CNT-01i | NOT_APPLICABLE |  |
CNT-01j | NOT_APPLICABLE |  |
CNT-02b | NOT_APPLICABLE |  |
CNT-02c | NOT_APPLICABLE |  |
ISO-01 | PASS |  |
ISO-02 | PASS |  |
ISO-03 | PASS |  |
ISO-05 | PASS |  |
