# Linux siw 6.1 (Debian 12) as a conformance peer: what `rdma4j conform --peer siw` finds, held by a lab test.
# ID | verdict | a part of the finding | what siw does

MPA-01a | PASS |  |
MPA-01b | PASS |  |
MPA-01c | PASS |  |
MPA-01d | PASS |  |
MPA-02a | DEVIATION | ended the connection | Without revision 2 siw takes ORD for 0, so that rping's READ fails.
MPA-02b | PASS |  |
MPA-02c | DEVIATION | reply of revision 0 | siw answers any revision up to 2, with the same one.
MPA-02d | PASS |  |
MPA-02e | PASS |  |
MPA-02f | PASS |  |
MPA-03a | DEVIATION | ended the connection in place of an MPA frame | siw takes at most 256 bytes of private data.
MPA-03b | PASS |  |
MPA-03c | PASS |  |
MPA-03d | PASS |  |
MPA-04a | PASS |  |
MPA-04b | NOT_APPLICABLE |  |
MPA-04c | NOT_APPLICABLE |  |
MPA-05a | PASS |  |
MPA-06a | AMBIGUOUS | the request is rejected | siw never sends markers, and rejects who asks for them.
MPA-06b | PASS |  |
MPA-06c | NOT_APPLICABLE |  |
MPA-07a | NOT_APPLICABLE |  |
MPA-07b | PASS |  |
MPA-08 | PASS |  |
MPA-09 | NOT_APPLICABLE |  |
MPA-10 | PASS |  |
MPA-11a | PASS |  |
MPA-11b | PASS |  |
MPA-12a | PASS |  |
MPA-12b | PASS |  |
MPA-12c | PASS |  |
MPA-13a | PASS |  |
MPA-13b | PASS |  |
MPA-13c | PASS |  |
MPA-13d | PASS |  |
MPA-13e | PASS |  |
MPA-14 | NOT_APPLICABLE |  |
MPA-15a | PASS |  |
MPA-15b | DEVIATION | is not 0 | siw does not clear the pad.
MPA-16a | PASS |  |
MPA-16b | DEVIATION | it did not | siw reads the first bytes of a DDP header before it looks at ULPDU_Length, and waits for them.
MPA-16c | PASS |  |
MPA-16d | PASS |  |
MPA-16e | PASS |  |
MPA-17a | NOT_APPLICABLE |  | A connection that ends before its request is whole leaves the listener of siw 6.1 damaged: when that goes the kernel reports refcount_t underflow or list_del corruption in siw_destroy_listen. Not run, for the machine's sake.
MPA-17b | NOT_APPLICABLE |  | A connection that ends before its request is whole leaves the listener of siw 6.1 damaged: when that goes the kernel reports refcount_t underflow or list_del corruption in siw_destroy_listen. Not run, for the machine's sake.
MPA-17c | PASS |  |
MPA-18a | PASS |  |
MPA-18b | PASS |  |
MPA-18c | DEVIATION | it sent Send | siw does not compare the reply's ORD with its IRD.
MPA-19a | PASS |  |
MPA-19b | PASS |  |
MPA-19c | DEVIATION | names another message | siw knows no Send for that, and answers that it wants a Write.
MPA-19d | DEVIATION | it sent Read Response | siw takes any first message for the one that was agreed upon.
MPA-19e | PASS |  |
MPA-20a | DEVIATION | the reply has the S flag | siw heeds the S flag whatever the revision.
MPA-20b | DEVIATION | ended the connection | Without IRD and ORD siw takes ORD for 0, so that rping's READ fails.
MPA-20c | PASS |  |
MPA-21a | PASS |  |
MPA-21b | NOT_APPLICABLE |  |
MPA-21c | NOT_APPLICABLE |  | A connection that ends before its request is whole leaves the listener of siw 6.1 damaged: when that goes the kernel reports refcount_t underflow or list_del corruption in siw_destroy_listen. Not run, for the machine's sake.
MPA-21d | PASS |  |
DDP-01a | PASS |  |
DDP-01b | PASS |  |
DDP-01c | PASS |  |
DDP-01d | PASS |  |
DDP-01e | PASS |  |
DDP-01f | PASS |  |
DDP-02a | PASS |  |
DDP-02b | PASS |  |
DDP-03a | PASS |  |
DDP-03b | PASS |  |
DDP-03c | PASS |  |
DDP-03d | PASS |  |
DDP-04 | NOT_APPLICABLE |  |
DDP-05 | DEVIATION | local catastrophic error | siw says DDP, local catastrophic error.
DDP-06a | PASS |  |
DDP-06b | PASS |  |
DDP-07 | PASS |  |
DDP-08a | PASS |  |
DDP-08b | PASS |  |
DDP-08c | PASS |  |
DDP-08d | PASS |  |
DDP-09a | PASS |  |
DDP-09b | PASS |  |
DDP-09c | PASS |  |
DDP-10a | DEVIATION | no buffer available | siw says "no buffer" where the buffer is too short.
DDP-10b | DEVIATION | no buffer available | siw says "no buffer" where the buffer is too short.
DDP-11a | NOT_APPLICABLE |  |
DDP-11b | NOT_APPLICABLE |  |
DDP-12a | PASS |  |
DDP-12b | PASS |  |
DDP-12c | AMBIGUOUS | the stream is ended | siw asks that a Write's segments follow one upon the other.
DDP-13 | PASS |  |
DDP-14a | PASS |  |
DDP-14b | PASS |  |
RDP-01a | DEVIATION | local catastrophic error (2/0/5) | siw says LLP, local catastrophic error.
RDP-01b | DEVIATION | local catastrophic error (2/0/5) | siw says LLP, local catastrophic error.
RDP-01c | DEVIATION | local catastrophic error (2/0/5) | siw says LLP, local catastrophic error.
RDP-01d | DEVIATION | local catastrophic error (2/0/5) | siw says LLP, local catastrophic error.
RDP-01e | DEVIATION | local catastrophic error (2/0/5) | siw says LLP, local catastrophic error.
RDP-01f | DEVIATION | local catastrophic error (2/0/5) | siw says LLP, local catastrophic error.
RDP-02a | PASS |  |
RDP-02b | PASS |  |
RDP-02c | PASS |  |
RDP-02d | PASS |  |
RDP-02e | PASS |  |
RDP-02f | PASS |  |
RDP-02g | PASS |  |
RDP-02h | PASS |  |
RDP-03a | DEVIATION | invalid STag (1/1/0) | siw goes by the opcode, and reads the header as a Write's.
RDP-03b | DEVIATION | invalid queue number | siw goes by the opcode, and reads the header as a Send's.
RDP-03c | DEVIATION | local catastrophic error | siw goes by the opcode, and reads the header as a Read Response's.
RDP-03d | DEVIATION | sent no FPDU | siw goes by the opcode, and waits for the rest of a Read Request's header.
RDP-03e | DEVIATION | ended the connection | siw goes by the opcode, and takes it for a Terminate.
RDP-03f | DEVIATION | ended the connection | siw ends the connection without a Terminate where the opcode changes.
RDP-04a | DEVIATION | it sent Read Response | siw goes by the opcode and does not look at a Read Request's queue.
RDP-04b | DEVIATION | invalid queue number | siw tells of the queue, which is the opcode's fault as well.
RDP-04c | DEVIATION | invalid queue number | siw tells of the queue, which is the opcode's fault as well.
RDP-04d | DEVIATION | sent no FPDU | siw reads a whole Read Request before it looks at ULPDU_Length, and waits for it.
RDP-04e | PASS |  |
RDP-04f | DEVIATION | ended the connection | siw takes the byte behind a Read Request for the trailer, and ends the connection without a Terminate.
RDP-04g | DEVIATION | sent no FPDU | siw waits for the message's last segment.
RDP-05 | DEVIATION | it sent Read Response | siw has answered the first ones before it looks at the one that is too many.
RDP-06a | PASS |  |
RDP-06b | PASS |  |
RDP-06c | PASS |  |
RDP-06d | DEVIATION | ended the connection | siw ends the connection without a Terminate where a Read's offset wraps.
RDP-06e | DEVIATION | invalid STag | siw says that the STag is invalid.
RDP-06f | NOT_APPLICABLE |  |
RDP-06g | NOT_APPLICABLE |  |
RDP-06h | NOT_APPLICABLE |  |
RDP-07a | PASS |  |
RDP-08a | PASS |  |
RDP-08b | PASS |  |
RDP-08c | PASS |  |
RDP-09a | PASS |  |
RDP-09b | PASS |  |
RDP-09c | PASS |  |
RDP-09d | PASS |  |
RDP-10 | DEVIATION | local catastrophic error | siw says DDP, local catastrophic error.
RDP-11a | PASS |  |
RDP-11b | PASS |  |
RDP-11c | DEVIATION | it sent a Terminate | siw ends the stream, with a code that no RFC knows.
RDP-12a | PASS |  |
RDP-12b | NOT_APPLICABLE |  |
RDP-13 | NOT_APPLICABLE |  |
RDP-15a | PASS |  |
RDP-15b | PASS |  |
RDP-15c | PASS |  |
TRM-01a | PASS |  |
TRM-01b | PASS |  |
TRM-02a | DEVIATION | 11000300 | On little-endian hosts siw changes layer and type about, and puts M, D and R into the lowest bits.
TRM-02b | DEVIATION | 21030300 | On little-endian hosts siw changes layer and type about, and puts M, D and R into the lowest bits.
TRM-02c | PASS |  |
TRM-02d | PASS |  |
TRM-02e | DEVIATION | differs at byte 13 | siw's copy of a Read Request's DDP header does not have the MSN that was sent.
TRM-02f | DEVIATION | length is 8 | siw tells the length of the payload.
TRM-02g | PASS |  |
TRM-03a | PASS |  |
TRM-03b | PASS |  |
TRM-04 | PASS |  |
TRM-05a | DEVIATION | it sent a Terminate | siw finds the segment too short for a Terminate before it takes it for one.
TRM-05b | PASS |  |
TRM-05c | PASS |  |
TRM-05d | PASS |  |
TRM-06a | PASS |  |
TRM-06b | NOT_APPLICABLE |  |
