package org.rdma4j.tools.perf;

import java.io.PrintWriter;
import java.util.Locale;
import org.rdma4j.iwarp.IwarpConnections;
import org.rdma4j.tools.exchange.BandwidthFigures;
import org.rdma4j.tools.exchange.KeyRecord;
import org.rdma4j.verbs.DeviceContext;

/** What perftest prints, line by line: its columns and its names. */
final class Table {

    private static final String RULE = "-".repeat(87);

    private final PrintWriter out;
    private final Plan plan;

    Table(PrintWriter out, Plan plan) {
        this.out = out;
        this.plan = plan;
    }

    void waiting() {
        String stars = "*".repeat(36);
        print("\n%s\n* Waiting for client to connect... *\n%s", stars, stars);
    }

    /** @param byCm whether rdma_cm connects the queue pairs and carries the exchange */
    void head(DeviceContext device, Dialogue.Terms terms, boolean client, boolean byCm) {
        print("%s\n%s%s Test", RULE, " ".repeat(20), plan.title());
        boolean iwarp = device.family(IwarpConnections.class).isPresent();
        print(" Device          : %s", device.name());
        print(" Number of qps   : %d\t\tTransport type : %s", plan.queuePairs(), iwarp ? "IW" : "IB");
        print(" Connection type : %s\t\tUsing SRQ      : %s", plan.service(), plan.useSrq() ? "ON" : "OFF");
        if (plan.sends(client)) {
            print(" TX depth        : %d", plan.txDepth());
        }
        if (plan.operation() == PerfTest.Operation.SEND && plan.sends(!client)) {
            print(" RX depth        : %d", plan.rxDepth());
        }
        if (!plan.test().latency) {
            print(" CQ Moderation   : %d", plan.cqMod());
        }
        print(" Mtu             : %d[B]", terms.mtu());
        print(" Link type       : Ethernet");
        print(" GID index       : %d", plan.gidIndex());
        if (plan.operation().isAnswered()) {
            print(" Outstand reads  : %d", plan.outReads());
        } else {
            print(" Max inline data : %d[B]", plan.inline());
        }
        print(" rdma_cm QPs     : %s", byCm ? "ON" : "OFF");
        print(" Data ex. method : %s\n%s", byCm ? "rdma_cm" : "Ethernet", RULE);
    }

    void addresses(String side, KeyRecord[] records) {
        for (KeyRecord record : records) {
            StringBuilder line = new StringBuilder(String.format(
                    Locale.ROOT,
                    " %s address: LID %04x QPN 0x%04x PSN 0x%06x",
                    side,
                    record.lid(),
                    record.qpn(),
                    record.psn()));
            if (plan.operation() == PerfTest.Operation.READ) {
                line.append(String.format(Locale.ROOT, " OUT 0x%02x", record.outReads()));
            }
            if (plan.operation() != PerfTest.Operation.SEND) {
                line.append(String.format(Locale.ROOT, " RKey 0x%06x VAddr 0x%014x", record.rKey(), record.address()));
            }
            print("%s\n GID: %s", line, record.gid());
        }
    }

    void columns() {
        print(RULE);
        if (!plan.test().latency) {
            String unit = plan.gbits() ? "Gb/sec" : "MB/sec";
            print(" #bytes     #iterations    BW peak[%s]    BW average[%s]   MsgRate[Mpps]", unit, unit);
        } else if (plan.isTimed()) {
            print(" #bytes        #iterations       t_avg[usec]    tps average");
        } else {
            print(" #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]"
                    + "   99%% percentile[usec]   99.9%% percentile[usec] ");
        }
    }

    void row(BandwidthFigures figures) {
        print(
                " %-10d %-10d       %-7.2f            %-7.2f              %-7.6f",
                figures.size(), figures.iterations(), figures.peak(), figures.average(), figures.messageRate());
    }

    void row(LatencyFigures figures) {
        if (figures.isTimed()) {
            print(
                    " %-10d    %-10d       %-7.2f        %-7.2f",
                    figures.size(), figures.iterations(), figures.average(), figures.perSecond());
            return;
        }
        print(
                " %-7d %-10d     %-7.2f        %-7.2f      %-7.2f            %-7.2f        %-7.2f         %-7.2f                 %-7.2f",
                figures.size(),
                figures.iterations(),
                figures.min(),
                figures.max(),
                figures.typical(),
                figures.average(),
                figures.deviation(),
                figures.percentile(99),
                figures.percentile(99.9));
    }

    void end() {
        print(RULE);
    }

    private void print(String format, Object... arguments) {
        out.println(String.format(Locale.ROOT, format, arguments));
        out.flush();
    }
}
