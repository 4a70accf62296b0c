package org.rdma4j.tools.conform.mutant.iwarp;

import static org.rdma4j.tools.conform.mutant.iwarp.IwarpMutant.breaks;
import static org.rdma4j.tools.conform.mutant.iwarp.IwarpMutant.ignores;
import static org.rdma4j.tools.conform.mutant.iwarp.IwarpMutant.sends;
import static org.rdma4j.tools.conform.mutant.iwarp.IwarpMutant.takes;
import static org.rdma4j.tools.conform.mutant.iwarp.IwarpMutant.tampered;

import java.util.List;
import org.rdma4j.iwarp.craft.Ulpdu;
import org.rdma4j.iwarp.wire.EnhancedData;

/** Devices that take FPDUs wrongly, or make them so. */
final class FpduMutants {

    private static final int LONG = 8_000;

    private FpduMutants() {}

    static List<IwarpMutant> all() {
        return List.of(
                takes("fpdu-any-crc", "does not look at CRCs", Unit::isFpdu, unit -> unit.goodCrc(true)),
                takes(
                        "fpdu-pad-in-no-crc",
                        "leaves the pad out of its CRC, and takes it for right",
                        unit -> unit.isSegment() && unit.pad() > 0 && !unit.hasGoodCrc(),
                        unit -> unit.goodCrc(true)),
                takes(
                        "fpdu-minds-pad",
                        "takes a FPDU whose pad is not 0 for damaged",
                        unit -> unit.isFpdu() && unit.pad() > 0,
                        unit -> unit.goodCrc(false)),
                sends("fpdu-pad-of-ones", "fills its pads with ones", unit -> unit.pad() == 0, unit -> unit.pad(0xFF)),
                tampered(
                        "fpdu-crc-always",
                        "breaks off where a CRC is wrong, whether they are in use or not",
                        () -> new StreamTamper() {
                            @Override
                            public void toDevice(Unit unit, Ways ways) {
                                if (unit.isFpdu() && unit.crcField() == -1) {
                                    ways.breakFromDevice();
                                } else {
                                    ways.toDevice(unit);
                                }
                            }
                        }),
                takes(
                        "fpdu-crc-reversed",
                        "takes a CRC whose bytes are the other way about",
                        unit -> unit.isFpdu() && unit.hasReversedCrc(),
                        unit -> unit.goodCrc(true)),
                takes(
                        "fpdu-no-crc-is-right",
                        "takes 0 for a right CRC",
                        unit -> unit.isFpdu() && unit.crcField() == 0,
                        unit -> unit.goodCrc(true)),
                ignores(
                        "fpdu-damaged-dropped",
                        "drops damaged FPDUs without a word",
                        unit -> unit.isSegment() && unit.isCrcInUse() && !unit.hasGoodCrc()),
                breaks(
                        "fpdu-in-pieces",
                        "breaks off at a FPDU in more than 10 pieces",
                        unit -> unit.isFpdu() && unit.pieces > 10),
                takes(
                        "fpdu-in-two",
                        "loses the last byte of a FPDU in two pieces",
                        unit -> unit.isSegment() && unit.pieces == 2 && unit.payload().length > 0,
                        unit -> {
                            byte[] payload = unit.payload();
                            payload[payload.length - 1] = 0;
                            unit.payload(payload);
                        }),
                tampered("fpdu-many-at-once", "overlooks what comes behind 64 FPDUs at once", () -> new StreamTamper() {
                    private int run;

                    @Override
                    public void toDevice(Unit unit, Ways ways) {
                        run = unit.pieces == 1 && unit.isSegment() && unit.payload().length == 8 ? run + 1 : 0;
                        if (run <= 64) {
                            ways.toDevice(unit);
                        }
                    }
                }),
                breaks(
                        "fpdu-own-mulpdu",
                        "breaks off at a FPDU that is longer than its own",
                        unit -> unit.isFpdu() && unit.ulpduLength() > LONG),
                ignores(
                        "fpdu-empty-ignored",
                        "goes on behind a FPDU without a ULPDU",
                        unit -> unit.isFpdu() && unit.ulpduLength() == 0),
                ignores(
                        "fpdu-short-ignored",
                        "goes on behind a ULPDU that is too short for a DDP header",
                        unit -> unit.isFpdu() && !unit.isSegment()),
                sends(
                        "fpdu-rtr-not-peer",
                        "does not say that the connection is peer-to-peer",
                        unit -> unit.isReply() && unit.hasData(),
                        unit -> unit.data(new EnhancedData(
                                false,
                                false,
                                unit.data().ird(),
                                false,
                                false,
                                unit.data().ord()))),
                sends(
                        "fpdu-rtr-always-write",
                        "starts peer-to-peer connections with a Write, whatever was offered",
                        unit -> unit.isReply() && unit.hasData() && unit.data().peerToPeer(),
                        unit -> unit.data(new EnhancedData(
                                true,
                                false,
                                unit.data().ird(),
                                true,
                                false,
                                unit.data().ord()))),
                tampered(
                        "fpdu-rtr-any",
                        "takes any message for the one that starts the connection",
                        () -> new StreamTamper() {
                            private boolean peerToPeer;
                            private boolean started;

                            @Override
                            public void toDevice(Unit unit, Ways ways) {
                                if (unit.isRequest() && unit.hasData()) {
                                    peerToPeer = unit.data().peerToPeer()
                                            && unit.data().writeRtr();
                                } else if (peerToPeer && !started && unit.isFpdu()) {
                                    started = true;
                                    unit.ulpdu(Ulpdu.write(0, 0).bytes());
                                }
                                ways.toDevice(unit);
                            }
                        }),
                tampered(
                        "fpdu-rtr-awaited",
                        "waits for a first message though the stream has ended",
                        () -> new StreamTamper() {
                            private boolean awaits;

                            @Override
                            public void toDevice(Unit unit, Ways ways) {
                                awaits = unit.isRequest()
                                        && unit.hasData()
                                        && unit.data().peerToPeer();
                                ways.toDevice(unit);
                            }

                            @Override
                            public void deviceEnds(Ways ways) {
                                if (!awaits) {
                                    ways.endFromDevice();
                                }
                            }
                        }),
                tampered("fpdu-marker-any", "does not look at markers", () -> new StreamTamper() {
                    @Override
                    public void toDevice(Unit unit, Ways ways) {
                        // With markers in use FPDUs are not told apart here: the long one is not looked at at all.
                        if (!unit.isRaw() || unit.length() < 2000 || unit.length() > 2100) {
                            ways.toDevice(unit);
                        }
                    }
                }));
    }
}
