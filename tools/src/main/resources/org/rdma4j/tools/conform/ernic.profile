# AMD's ERNIC as its product guide (PG332) tells of it. Nobody has run `rdma4j conform` against one: a line says what to expect,
# not what was seen.
# ID | verdict | a part of the finding | what the device does

HDR-12c | AMBIGUOUS | dropped | ERNIC takes no IPv4 packet whose flags are not exactly DF.
HDR-09d | NOT_APPLICABLE |  | ERNIC has no atomics.
CRC-01e | NOT_APPLICABLE |  | ERNIC has no atomics.
CRC-02d | NOT_APPLICABLE |  | ERNIC has no atomics.
PSN-10 | NOT_APPLICABLE |  | ERNIC has no atomics.
ACK-05c | NOT_APPLICABLE |  | ERNIC has no atomics.
RDA-20a | NOT_APPLICABLE |  | ERNIC has no atomics.
RDA-20b | NOT_APPLICABLE |  | ERNIC has no atomics.
RDA-21a | NOT_APPLICABLE |  | ERNIC has no atomics.
RDA-21b | NOT_APPLICABLE |  | ERNIC has no atomics.
RDA-22a | NOT_APPLICABLE |  | ERNIC has no atomics.
RDA-22b | NOT_APPLICABLE |  | ERNIC has no atomics.
RDA-24a | NOT_APPLICABLE |  | ERNIC has no atomics.
RDA-24b | NOT_APPLICABLE |  | ERNIC has no atomics.
RDA-24c | NOT_APPLICABLE |  | ERNIC has no atomics.
RDA-25 | NOT_APPLICABLE |  | ERNIC has no atomics.
RDA-26 | NOT_APPLICABLE |  | ERNIC has no atomics.
RDA-28a | NOT_APPLICABLE |  | ERNIC has no atomics.
RDA-28b | NOT_APPLICABLE |  | ERNIC has no atomics.
RDA-29 | NOT_APPLICABLE |  | ERNIC has no atomics.
KEY-01c | NOT_APPLICABLE |  | ERNIC has no atomics.
KEY-01d | NOT_APPLICABLE |  | ERNIC has no atomics.
KEY-04g | NOT_APPLICABLE |  | ERNIC has no atomics.
KEY-06c | NOT_APPLICABLE |  | ERNIC has no atomics.
