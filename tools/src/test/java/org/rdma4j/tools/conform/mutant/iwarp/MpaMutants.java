package org.rdma4j.tools.conform.mutant.iwarp;

import static org.rdma4j.tools.conform.mutant.iwarp.IwarpMutant.breaks;
import static org.rdma4j.tools.conform.mutant.iwarp.IwarpMutant.sends;
import static org.rdma4j.tools.conform.mutant.iwarp.IwarpMutant.setUp;
import static org.rdma4j.tools.conform.mutant.iwarp.IwarpMutant.takes;
import static org.rdma4j.tools.conform.mutant.iwarp.IwarpMutant.tampered;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import org.rdma4j.iwarp.wire.EnhancedData;
import org.rdma4j.iwarp.wire.MpaFrame;
import org.rdma4j.iwarp.wire.RdmapOpcode;

/** Devices that set connections up wrongly. */
final class MpaMutants {

    private static final long FOREVER = Duration.ofHours(1).toNanos();

    private MpaMutants() {}

    static List<IwarpMutant> all() {
        return List.of(
                tampered("mpa-any-key", "takes anything for a request", MpaMutants::anyKey),
                takes(
                        "mpa-any-revision",
                        "takes a request of any revision for one that it knows",
                        unit -> unit.isRequest() && !known(unit.frame().revision()),
                        unit -> revision(unit, unit.frame().enhanced() ? 2 : 1)),
                sends(
                        "mpa-replies-revision-1",
                        "replies with revision 1, whatever was asked",
                        Unit::isReply,
                        unit -> revision(unit, 1)),
                sends(
                        "mpa-replies-revision-2",
                        "replies with revision 2, whatever was asked",
                        Unit::isReply,
                        unit -> revision(unit, 2)),
                breaks(
                        "mpa-minds-reserved",
                        "breaks off where reserved bits are set",
                        unit -> unit.isRequest() && unit.frame().reserved() != 0),
                breaks(
                        "mpa-private-data-256",
                        "breaks off at more than 256 bytes of private data",
                        unit -> unit.isRequest() && unit.frame().privateDataLength() > 256),
                breaks(
                        "mpa-private-data-128",
                        "breaks off at more than 128 bytes of private data",
                        unit -> unit.isRequest() && unit.frame().privateDataLength() > 128),
                tampered("mpa-private-data-any", "takes any length of private data", MpaMutants::anyLength),
                sends(
                        "mpa-reply-no-crc",
                        "does not say in its reply that CRCs are used",
                        Unit::isReply,
                        unit -> crc(unit, false)),
                takes(
                        "mpa-ignores-reply-crc",
                        "uses no CRCs though the reply asks for them",
                        Unit::isReply,
                        unit -> crc(unit, false)),
                setUp(
                        "mpa-rejects-markers",
                        "rejects who asks for markers",
                        setup -> setup.withMpa(mpa -> setup.mpa()
                                .apply(mpa)
                                .withMarkers(setup.mpa().apply(mpa).receivesMarkers(), false))),
                sends(
                        "mpa-markers-unasked",
                        "puts markers into long FPDUs that nobody has asked for",
                        unit -> unit.isFpdu() && unit.length() > 512,
                        unit -> unit.ulpdu(inserted(unit.ulpdu(), 506))),
                setUp(
                        "mpa-no-markers-wanted",
                        "does not ask for the markers that it wants",
                        setup -> setup.withMpa(mpa -> setup.mpa().apply(mpa).withMarkers(false, true))),
                sends(
                        "mpa-reject-without-reason",
                        "leaves out what the application says with its no",
                        unit -> unit.isReply() && unit.frame().rejected(),
                        unit -> unit.privateDataLength(0)),
                sends(
                        "mpa-reject-without-flag",
                        "rejects without the R flag",
                        unit -> unit.isReply() && unit.frame().rejected(),
                        unit -> rejected(unit, false)),
                takes(
                        "mpa-ignores-reject",
                        "takes a reply with the R flag for a yes",
                        unit -> unit.isReply() && unit.frame().rejected(),
                        unit -> rejected(unit, false)),
                tampered("mpa-early-data", "overlooks what comes before its reply", MpaMutants::early),
                setUp(
                        "mpa-speaks-first",
                        "sends before the initiator's first FPDU",
                        setup -> setup.withMpa(mpa -> setup.mpa().apply(mpa).withSendsFirst(true))),
                tampered("mpa-request-as-reply", "takes a request for a reply", MpaMutants::requestAsReply),
                breaks(
                        "mpa-frame-in-pieces",
                        "breaks off where a request or reply comes in more than 20 pieces",
                        unit -> unit.isFrame() && unit.pieces > 20),
                setUp(
                        "mpa-patient",
                        "waits for a request or a reply for an hour",
                        setup -> setup.withMpa(mpa -> setup.mpa().apply(mpa).withTimeouts(FOREVER, FOREVER))),
                sends(
                        "mpa-ord-too-high",
                        "replies with an ORD of 8 whatever the initiator takes on",
                        Unit::hasData,
                        unit -> depths(unit, unit.data().ird(), 8)),
                sends(
                        "mpa-ird-none",
                        "replies that it takes on no READ",
                        Unit::hasData,
                        unit -> depths(unit, 0, unit.data().ord())),
                sends(
                        "mpa-ird-boasts",
                        "replies that it takes on more READs than it does",
                        unit -> unit.isReply() && unit.hasData(),
                        unit -> depths(unit, unit.data().ird() + 1, unit.data().ord())),
                takes(
                        "mpa-ignores-ord",
                        "does not look at the reply's ORD",
                        unit -> unit.isReply() && unit.hasData(),
                        unit -> depths(unit, unit.data().ird(), 0)),
                sends(
                        "mpa-enhanced-in-1",
                        "answers the S flag in revision 1",
                        unit -> unit.isReply() && unit.frame().revision() == 1,
                        unit -> enhanced(unit, true)),
                sends(
                        "mpa-always-enhanced",
                        "replies with the S flag in revision 2, whether it was asked for or not",
                        unit -> unit.isReply() && unit.frame().revision() == 2,
                        unit -> enhanced(unit, true)),
                takes(
                        "mpa-enhanced-in-name",
                        "takes the S flag without its data for none",
                        unit -> unit.isRequest()
                                && unit.frame().enhanced()
                                && unit.frame().privateDataLength() < EnhancedData.LENGTH,
                        unit -> enhanced(unit, false)),
                sends(
                        "mpa-first-msn",
                        "numbers its first message 0",
                        unit -> unit.is(RdmapOpcode.SEND),
                        unit -> unit.msn(unit.untagged().messageSequenceNumber() - 1)));
    }

    private static boolean known(int revision) {
        return revision == 1 || revision == 2;
    }

    private static void revision(Unit unit, int revision) {
        MpaFrame it = unit.frame();
        change(unit, it.request(), it.crc(), it.rejected(), it.enhanced(), revision);
    }

    private static void crc(Unit unit, boolean value) {
        MpaFrame it = unit.frame();
        change(unit, it.request(), value, it.rejected(), it.enhanced(), it.revision());
    }

    private static void rejected(Unit unit, boolean value) {
        MpaFrame it = unit.frame();
        change(unit, it.request(), it.crc(), value, it.enhanced(), it.revision());
    }

    private static void enhanced(Unit unit, boolean value) {
        MpaFrame it = unit.frame();
        change(unit, it.request(), it.crc(), it.rejected(), value, it.revision());
    }

    private static void change(
            Unit unit, boolean request, boolean crc, boolean rejected, boolean enhanced, int revision) {
        MpaFrame it = unit.frame();
        unit.frame(new MpaFrame(
                request, it.markers(), crc, rejected, enhanced, it.reserved(), revision, it.privateDataLength()));
    }

    private static void depths(Unit unit, int ird, int ord) {
        EnhancedData old = unit.data();
        unit.data(new EnhancedData(old.peerToPeer(), old.sendRtr(), ird, old.writeRtr(), old.readRtr(), ord));
    }

    private static byte[] inserted(byte[] bytes, int at) {
        byte[] longer = new byte[bytes.length + 4];
        System.arraycopy(bytes, 0, longer, 0, at);
        System.arraycopy(bytes, at, longer, at + 4, bytes.length - at);
        return longer;
    }

    /** A plain request of revision 1. */
    private static byte[] plain(boolean request) {
        byte[] frame = new byte[MpaFrame.LENGTH];
        MpaFrame.write(MemorySegment.ofArray(frame), 0, request, false, false, false, false, 1, 0);
        return frame;
    }

    private static StreamTamper anyKey() {
        return new StreamTamper() {
            private boolean first = true;

            @Override
            public void toDevice(Unit unit, Ways ways) {
                boolean strange = first && (unit.isRaw() || unit.isReply());
                first = false;
                if (strange) {
                    unit.replace(plain(true));
                }
                ways.toDevice(unit);
            }
        };
    }

    private static StreamTamper anyLength() {
        return new StreamTamper() {
            private boolean first = true;

            @Override
            public void toDevice(Unit unit, Ways ways) {
                if (first && unit.isRaw() && unit.length() >= MpaFrame.LENGTH) {
                    unit.replace(plain(true));
                }
                first = false;
                ways.toDevice(unit);
            }
        };
    }

    private static StreamTamper early() {
        return new StreamTamper() {
            private boolean answered;

            @Override
            public void toDevice(Unit unit, Ways ways) {
                if (unit.isFrame() || answered) {
                    ways.toDevice(unit);
                }
            }

            @Override
            public void fromDevice(Unit unit, Ways ways) {
                answered = true;
                ways.fromDevice(unit);
            }
        };
    }

    private static StreamTamper requestAsReply() {
        return new StreamTamper() {
            private boolean asked;

            @Override
            public void fromDevice(Unit unit, Ways ways) {
                asked |= unit.isRequest();
                ways.fromDevice(unit);
            }

            @Override
            public void toDevice(Unit unit, Ways ways) {
                if (asked && unit.isRequest()) {
                    MpaFrame it = unit.frame();
                    change(unit, false, it.crc(), it.rejected(), it.enhanced(), it.revision());
                }
                ways.toDevice(unit);
            }
        };
    }
}
