package org.rdma4j.tools.decode;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.rdma4j.iwarp.capture.CapturedUnit;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.IpText;

/** A unit of iWARP in one line: number, seconds, ends, what it is, its place in the queue or buffer, the CRC's verdict. */
final class IwarpLine {

    private IwarpLine() {}

    static String of(IwarpFrame frame, CapturedUnit unit) {
        StringBuilder line = new StringBuilder(160);
        line.append(String.format(
                Locale.ROOT,
                "%6d %12.6f  %s → %s  %-28s",
                frame.number(),
                frame.sinceFirst() / 1e9,
                end(frame.tcp().source(), frame.tcp().sourcePort()),
                end(frame.tcp().destination(), frame.tcp().destinationPort()),
                IwarpText.name(unit)));
        facts(unit).forEach(fact -> line.append("  ").append(fact));
        frame.captured().comments().forEach(comment -> line.append("  # ").append(comment));
        return line.toString();
    }

    /** {@code 10.0.0.1:7174}, {@code [fd77::1]:7174}. */
    static String end(Gid gid, int port) {
        String address = IpText.of(gid.toAddress());
        return gid.isIpv4() ? address + ":" + port : "[" + address + "]:" + port;
    }

    private static List<String> facts(CapturedUnit unit) {
        return switch (unit) {
            case CapturedUnit.Setup setup -> IwarpText.setup(setup);
            case CapturedUnit.Fpdu fpdu -> fpdu(fpdu);
            case CapturedUnit.Lost lost -> List.of("cannot be followed any more: " + lost.reason());
        };
    }

    private static List<String> fpdu(CapturedUnit.Fpdu fpdu) {
        String crc = "CRC " + fpdu.crc().text();
        if (IwarpText.isMalformed(fpdu)) {
            return List.of(crc, IwarpText.tooShort(fpdu));
        }
        if (fpdu.ulpdu().byteSize() == 0) {
            return List.of(crc);
        }
        List<String> facts = new ArrayList<>(List.of(IwarpText.place(fpdu), crc));
        facts.addAll(IwarpText.details(fpdu));
        return facts;
    }
}
