package org.rdma4j.tools.decode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.rdma4j.iwarp.capture.CapturedConnections;
import org.rdma4j.iwarp.capture.CapturedUnit;
import org.rdma4j.iwarp.capture.CrcVerdict;
import org.rdma4j.pcap.CapturedPacket;
import org.rdma4j.wire.TcpFrame;

/** Follows the iWARP connections of one capture file, and counts what they carry. */
final class IwarpDecoder {

    private final CapturedConnections connections = new CapturedConnections();
    private final IwarpFindings findings = new IwarpFindings();
    private long requests;
    private long fpdus;
    private long checked;
    private long wrong;
    private long malformed;
    private long lost;

    /** A TCP segment. @return what of iWARP became whole by it; {@code null} for nothing */
    IwarpFrame segment(CapturedPacket captured, TcpFrame tcp, long number, long sinceFirst) {
        List<CapturedUnit> units = connections.segment(tcp);
        if (units.isEmpty()) {
            return null;
        }
        units.forEach(this::count);
        return new IwarpFrame(number, sinceFirst, captured, tcp, units, findings.of(tcp, units));
    }

    private void count(CapturedUnit unit) {
        switch (unit) {
            case CapturedUnit.Setup setup -> requests += setup.fromInitiator() ? 1 : 0;
            case CapturedUnit.Fpdu fpdu -> {
                fpdus++;
                checked += fpdu.crc() == CrcVerdict.UNUSED ? 0 : 1;
                wrong += fpdu.crc() == CrcVerdict.WRONG ? 1 : 0;
                malformed += IwarpText.isMalformed(fpdu) ? 1 : 0;
            }
            case CapturedUnit.Lost _ -> lost++;
        }
    }

    /** One line for people; empty where there is no iWARP in the file. */
    Optional<String> line() {
        if (requests + fpdus == 0) {
            return Optional.empty();
        }
        List<String> parts = new ArrayList<>();
        parts.add(fpdus + (fpdus == 1 ? " FPDU of iWARP" : " FPDUs of iWARP"));
        parts.add("on " + requests + (requests == 1 ? " connection" : " connections"));
        if (wrong > 0) {
            parts.add(wrong + " with a wrong CRC");
        } else if (fpdus > 0) {
            parts.add(checked == 0 ? "no CRC in use" : checked == fpdus ? "every CRC right" : checked + " CRCs right");
        }
        if (malformed > 0) {
            parts.add(malformed + " malformed");
        }
        if (lost > 0) {
            parts.add(lost + (lost == 1 ? " direction lost" : " directions lost"));
        }
        if (connections.left() > 0) {
            parts.add(connections.left() + " bytes without their end");
        }
        return Optional.of(parts.get(0) + " " + String.join(", ", parts.subList(1, parts.size())));
    }

    /** What makes the capture a bad one, in words; empty where nothing does. */
    String complaint() {
        List<String> complaints = new ArrayList<>();
        if (wrong > 0) {
            complaints.add(wrong + " of " + fpdus + " FPDUs have a wrong CRC");
        }
        if (malformed > 0) {
            complaints.add(malformed + " of " + fpdus + " FPDUs are malformed");
        }
        return String.join(", ", complaints);
    }
}
