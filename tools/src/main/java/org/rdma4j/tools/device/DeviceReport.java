package org.rdma4j.tools.device;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceOptions;
import org.rdma4j.verbs.Progress;

/** A device and its port, as {@code ibv_devinfo -v} lays them out or as JSON. */
record DeviceReport(
        String name,
        Map<String, Fact> device,
        Map<String, Fact> port,
        List<String> pkeys,
        List<String> gids,
        List<String> gidTypes) {

    /** Opens the device for as long as it takes to ask it. */
    static DeviceReport ask(String name) {
        try (DeviceContext device =
                DeviceContext.open(name, DeviceOptions.defaults().withProgress(Progress.CALLER))) {
            return new DeviceReport(
                    device.name(),
                    DeviceFacts.of(device),
                    PortFacts.of(device),
                    PortFacts.pkeys(device),
                    PortFacts.gids(device),
                    PortFacts.gidTypes(device));
        }
    }

    Map<String, Object> json() {
        Map<String, Object> ofPort = new LinkedHashMap<>(Map.of("port", 1));
        ofPort.putAll(Fact.values(port));
        ofPort.put("pkeys", pkeys);
        ofPort.put("gids", gids);
        ofPort.put("gid_types", gidTypes);
        Map<String, Object> all = new LinkedHashMap<>(Map.of("hca_id", name));
        all.putAll(Fact.values(device));
        all.put("port", ofPort);
        return all;
    }

    void print(PrintWriter out) {
        out.printf("hca_id:\t%s%n", name);
        device.forEach((what, fact) -> line(out, "\t", 32, what, fact));
        out.printf("\t\tport:\t1%n");
        port.forEach((what, fact) -> line(out, "\t\t\t", 24, what, fact));
        entries(out, "PKEY", pkeys);
        entries(
                out,
                "GID",
                IntStream.range(0, gids.size())
                        .mapToObj(index -> gids.get(index) + ", " + gidTypes.get(index))
                        .toList());
    }

    private static void line(PrintWriter out, String indent, int width, String what, Fact fact) {
        out.printf("%s%-" + width + "s%s%n", indent, what + ":", fact.text());
        fact.below().forEach(name -> out.printf("%s%" + width + "s%s%n", indent, "", name));
    }

    private static void entries(PrintWriter out, String name, List<String> entries) {
        for (int index = 0; index < entries.size(); index++) {
            out.printf("\t\t\t%-24s%s%n", String.format("%s[%3d]:", name, index), entries.get(index));
        }
    }
}
