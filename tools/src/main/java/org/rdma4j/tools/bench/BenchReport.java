package org.rdma4j.tools.bench;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** The table, for people and for programs. */
final class BenchReport {

    private BenchReport() {}

    static void table(PrintWriter out, List<Measure> measures) {
        out.printf(
                Locale.ROOT,
                "%-36s %10s %10s %-5s %7s %7s %7s  %-8s %s%n",
                "measure",
                "raw",
                "rdma4j",
                "unit",
                "ratio",
                "must",
                "aim",
                "verdict",
                "heap/op");
        for (Measure measure : measures) {
            double scale = measure.kind.scale;
            out.printf(
                    Locale.ROOT,
                    "%-36s %10.3f %10.3f %-5s %7.3f %7.2f %7.2f  %-8s %s%n",
                    measure.name,
                    measure.rawMedian() / scale,
                    measure.oursMedian() / scale,
                    measure.kind.unit,
                    measure.ratio(),
                    measure.must,
                    measure.aim,
                    verdict(measure),
                    heap(measure));
        }
        out.flush();
    }

    static void json(PrintWriter out, List<Measure> measures) {
        out.println("{\"measures\": [");
        for (int index = 0; index < measures.size(); index++) {
            Measure measure = measures.get(index);
            out.printf(
                    Locale.ROOT,
                    "  {\"name\": \"%s\", \"unit\": \"%s\", \"raw\": %.4f, \"rdma4j\": %.4f, \"ratio\": %.4f,"
                            + " \"must\": %.3f, \"aim\": %.3f, \"verdict\": \"%s\", \"heap_bytes_per_operation\": %s}%s%n",
                    measure.name,
                    measure.kind.unit,
                    measure.rawMedian() / measure.kind.scale,
                    measure.oursMedian() / measure.kind.scale,
                    measure.ratio(),
                    measure.must,
                    measure.aim,
                    verdict(measure),
                    Double.isNaN(measure.heapPerOperation())
                            ? "null"
                            : String.format(Locale.ROOT, "%.3f", measure.heapPerOperation()),
                    index == measures.size() - 1 ? "" : ",");
        }
        out.println("]}");
        out.flush();
    }

    private static String verdict(Measure measure) {
        if (measure.reached(measure.aim)) {
            return "aim";
        }
        return measure.reached(measure.must) ? "must" : "below";
    }

    private static String heap(Measure measure) {
        return Double.isNaN(measure.heapPerOperation())
                ? "-"
                : String.format(Locale.ROOT, "%.2f B", measure.heapPerOperation());
    }
}
