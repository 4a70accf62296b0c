package org.rdma4j.analysis;

import java.util.Optional;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Crc32Math;
import org.rdma4j.wire.Encapsulation;
import org.rdma4j.wire.Grh;
import org.rdma4j.wire.Icrc;
import org.rdma4j.wire.Ipv4Header;
import org.rdma4j.wire.Lrh;
import org.rdma4j.wire.RoceFrame;
import org.rdma4j.wire.UdpHeader;

/**
 * The one flipped bit that explains a wrong ICRC. CRC is linear: the difference of the two ICRCs depends on which bits
 * flipped and on nothing else in the frame. Of frames with more damage one in about a hundred thousand is explained so by
 * chance.
 *
 * @param offset which byte of the frame, from 0 on
 * @param bit which of its bits, 0 the lowest
 * @param field what stands there: {@code "BTH.PSN"}, {@code "byte 17 of the payload"}
 */
public record FlippedBit(long offset, int bit, String field) {

    /** The bit, where there is one. */
    public static Optional<FlippedBit> of(RoceFrame frame) {
        int difference = frame.expectedIcrc() ^ frame.icrc();
        if (difference == 0) {
            return Optional.empty();
        }
        boolean isLocal = frame.encapsulation() == Encapsulation.INFINIBAND_LOCAL;
        long start = frame.encapsulation() == Encapsulation.INFINIBAND_GLOBAL
                ? frame.networkOffset() + Lrh.LENGTH
                : frame.networkOffset();
        int dummy = isLocal ? 0 : Icrc.DUMMY_LENGTH;
        long covered = dummy + frame.icrcOffset() - start;
        long number = Crc32Math.singleBit(difference, covered);
        if (number < 0) {
            return Optional.empty();
        }
        long offset = start + number / Byte.SIZE - dummy;
        int bit = (int) (number % Byte.SIZE);
        if (offset < start || isMasked(frame, start, offset, bit)) {
            return Optional.empty();
        }
        return Optional.of(new FlippedBit(offset - frame.start(), bit, field(frame, start, offset)));
    }

    /** A bit that the ICRC takes as 1 whatever it is explains nothing: the wire's bit and the mask's are not the same. */
    private static boolean isMasked(RoceFrame frame, long start, long offset, int bit) {
        long flipped = offset - start;
        if (offset == frame.bthOffset() + Bth.CONGESTION_OFFSET) {
            return true;
        }
        if (frame.encapsulation().hasUdp() && offset < frame.bthOffset()) {
            long udp = offset - (frame.bthOffset() - UdpHeader.LENGTH);
            if (udp == UdpHeader.CHECKSUM_OFFSET || udp == UdpHeader.CHECKSUM_OFFSET + 1) {
                return true;
            }
        }
        return switch (frame.encapsulation()) {
            case ROCE_V2_IPV4 ->
                flipped == Ipv4Header.TRAFFIC_CLASS_OFFSET
                        || flipped == Ipv4Header.TIME_TO_LIVE_OFFSET
                        || flipped == Ipv4Header.CHECKSUM_OFFSET
                        || flipped == Ipv4Header.CHECKSUM_OFFSET + 1;
            case ROCE_V2_IPV6, ROCE_V1, INFINIBAND_GLOBAL ->
                flipped == 0 && bit < 4 || flipped > 0 && flipped < 4 || flipped == Grh.HOP_LIMIT_OFFSET;
            case INFINIBAND_LOCAL -> flipped == 0 && bit >= 4;
        };
    }

    private static String field(RoceFrame frame, long start, long offset) {
        long bth = frame.bthOffset();
        if (offset >= frame.icrcOffset()) {
            return "the ICRC itself";
        }
        if (offset < bth) {
            boolean isUdp = frame.encapsulation().hasUdp() && offset >= bth - UdpHeader.LENGTH;
            return isUdp
                    ? "byte " + (offset - bth + UdpHeader.LENGTH) + " of the UDP header"
                    : "byte " + (offset - start) + " of the network header";
        }
        long within = offset - bth;
        if (within < Bth.LENGTH) {
            return "BTH." + bthField((int) within);
        }
        int headers = frame.headerLength();
        return within < headers
                ? "byte " + (within - Bth.LENGTH) + " of the headers behind the BTH"
                : "byte " + (within - headers) + " of the payload";
    }

    private static String bthField(int within) {
        return switch (within) {
            case 0 -> "OpCode";
            case 1 -> "SE, M, PadCnt or TVer";
            case 2, 3 -> "P_Key";
            case 4 -> "FECN, BECN or reserved6";
            case 5, 6, 7 -> "DestQP";
            case 8 -> "AckReq or reserved7";
            default -> "PSN";
        };
    }

    /** The byte as it was sent. */
    public int sent(RoceFrame frame) {
        return (frame.bytes().uint8(frame.start() + offset) ^ 1 << bit) & 0xFF;
    }

    /** {@code "bit 3 of byte 17 of the payload (frame byte 83)"}. */
    @Override
    public String toString() {
        return "bit " + bit + " of " + field + " (frame byte " + offset + ")";
    }
}
