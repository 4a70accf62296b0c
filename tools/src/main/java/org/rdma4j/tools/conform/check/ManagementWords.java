package org.rdma4j.tools.conform.check;

import org.rdma4j.tools.conform.craft.CmNames;
import org.rdma4j.tools.conform.craft.Line;
import org.rdma4j.tools.conform.craft.Seen;
import org.rdma4j.wire.CmApr;
import org.rdma4j.wire.CmMad;
import org.rdma4j.wire.CmMessage;
import org.rdma4j.wire.CmRej;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.CmSidrReq;
import org.rdma4j.wire.MadHeader;
import org.rdma4j.wire.Malformed;
import org.rdma4j.wire.OtherMad;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.ParsedMad;
import org.rdma4j.wire.RejReason;

/** What the peer has said to queue pair 1, for people. */
final class ManagementWords {

    private ManagementWords() {}

    /** True for all that comes to queue pair 1, whatever it is. */
    static boolean isManagement(Seen seen) {
        return seen.packet().bth().destQp() == MadHeader.GSI_QPN;
    }

    static ParsedMad parse(Seen seen) {
        Packet packet = seen.packet();
        return CmMad.parse(packet.payload(), 0, (int) packet.payload().byteSize());
    }

    /** @param line that it has come to, which need not mean that it is named there */
    static String of(Seen seen, Line line) {
        return switch (parse(seen)) {
            case CmMad mad -> of(mad.message()) + namesake(mad.message(), line);
            case OtherMad other -> "a management datagram that is none of connection management's: " + other.what();
            case Malformed malformed -> "a wrong datagram to queue pair 1: " + malformed.reason();
        };
    }

    private static String namesake(CmMessage message, Line line) {
        int id = CmNames.of(message).ours();
        return message instanceof CmReq || message instanceof CmSidrReq || line.isCalled(id)
                ? ""
                : String.format(" to communication ID 0x%08x, which nobody has", id);
    }

    static String of(CmMessage message) {
        return switch (message) {
            case CmRej rej -> "REJ with reason " + RejReason.words(rej.reason());
            case CmApr apr -> "APR with status " + CmApr.words(apr.status());
            default -> message.name();
        };
    }
}
