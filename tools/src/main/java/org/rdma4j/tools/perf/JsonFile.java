package org.rdma4j.tools.perf;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rdma4j.tools.JsonText;
import org.rdma4j.tools.exchange.BandwidthFigures;

/**
 * The report for programs: perftest's names in a file that is JSON. {@code results} is an object, or with {@code -a} an
 * array of one object a size.
 */
final class JsonFile {

    private final Plan plan;
    private final List<Map<String, Object>> rows = new ArrayList<>();

    JsonFile(Plan plan) {
        this.plan = plan;
    }

    void add(BandwidthFigures figures) {
        Map<String, Object> row = row(figures.size(), figures.iterations());
        row.put("BW_peak", figures.peak());
        row.put("BW_average", figures.average());
        row.put("MsgRate", figures.messageRate());
    }

    void add(LatencyFigures figures) {
        Map<String, Object> row = row(figures.size(), figures.iterations());
        if (figures.isTimed()) {
            row.put("t_avg", figures.average());
            row.put("tps_average", figures.perSecond());
            return;
        }
        row.put("t_min", figures.min());
        row.put("t_max", figures.max());
        row.put("t_typical", figures.typical());
        row.put("t_avg", figures.average());
        row.put("t_stdev", figures.deviation());
        row.put("percentile_99", figures.percentile(99));
        row.put("percentile_99.9", figures.percentile(99.9));
    }

    private Map<String, Object> row(long size, long iterations) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("MsgSize", size);
        row.put("n_iterations", iterations);
        rows.add(row);
        return row;
    }

    void write(Path file, String device, Dialogue.Terms terms) {
        Map<String, Object> info = new LinkedHashMap<>();
        info.put("test", plan.title().replace(' ', '_') + "_Test");
        info.put("Device", device);
        info.put("Number_of_qps", plan.queuePairs());
        info.put("Transport_type", "IB");
        info.put("Connection_type", plan.service());
        info.put("Using_SRQ", plan.useSrq() ? "ON" : "OFF");
        info.put("TX_depth", plan.txDepth());
        if (!plan.test().latency) {
            info.put("CQ_Moderation", plan.cqMod());
            info.put("BW_unit", plan.gbits() ? "Gb/sec" : "MB/sec");
        }
        info.put("Mtu", terms.mtu());
        info.put("Link_type", "Ethernet");
        info.put("GID_index", plan.gidIndex());
        if (plan.operation().isAnswered()) {
            info.put("Outstand_reads", plan.outReads());
        } else {
            info.put("Max_inline_data", plan.inline());
        }
        info.put("rdma_cm_QPs", "OFF");
        info.put("Data_ex_method", "Ethernet");
        boolean one = !plan.allSizes() && rows.size() == 1;
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("test_info", info);
        report.put("results", one ? rows.getFirst() : rows);
        try {
            Files.writeString(file, JsonText.of(report));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
