package org.rdma4j.tools.device;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.rdma4j.verbs.DeviceAttributes;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceOptions;
import org.rdma4j.verbs.GidEntry;
import org.rdma4j.verbs.PortAttributes;
import org.rdma4j.verbs.Progress;

/** What an open device says of itself, under the names of {@code ibv_devinfo}. */
final class DeviceFacts {

    private static final int SMALLEST_MTU = 128; // the MTU whose code would be 0

    private DeviceFacts() {}

    /** Opens the device for as long as it takes to ask it. */
    static Map<String, Object> ask(String name) {
        try (DeviceContext device =
                DeviceContext.open(name, DeviceOptions.defaults().withProgress(Progress.CALLER))) {
            return of(device);
        }
    }

    private static Map<String, Object> of(DeviceContext device) {
        Map<String, Object> facts = new LinkedHashMap<>();
        DeviceAttributes limits = device.queryDevice();
        facts.put("hca_id", device.name());
        facts.put("transport", "InfiniBand");
        facts.put("node_guid", guid(device.nodeGuid()));
        facts.put("phys_port_cnt", 1);
        facts.put("max_qp", limits.maxQp());
        facts.put("max_qp_wr", limits.maxQpWr());
        facts.put("max_sge", limits.maxSge());
        facts.put("max_inline_data", limits.maxInlineData());
        facts.put("max_cq", limits.maxCq());
        facts.put("max_cqe", limits.maxCqe());
        facts.put("max_mr", limits.maxMr());
        facts.put("max_pd", limits.maxPd());
        facts.put("max_srq", limits.maxSrq());
        facts.put("max_srq_wr", limits.maxSrqWr());
        facts.put("max_srq_sge", limits.maxSrqSge());
        facts.put("max_mcast_grp", limits.maxMcastGrp());
        facts.put("max_mcast_qp_attach", limits.maxMcastQpAttach());
        facts.put("max_qp_rd_atom", limits.maxQpRdAtomic());
        facts.put("max_qp_init_rd_atom", limits.maxQpInitRdAtomic());
        facts.put("local_ca_ack_delay", limits.localCaAckDelay());
        facts.put("port", port(device));
        return facts;
    }

    private static Map<String, Object> port(DeviceContext device) {
        PortAttributes port = device.queryPort();
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("port", 1);
        facts.put("state", "PORT_" + port.state().name());
        facts.put("max_mtu", port.maxMtu());
        facts.put("active_mtu", port.activeMtu());
        facts.put("interface_mtu", port.interfaceMtu());
        facts.put("link_layer", port.linkLayer().text());
        facts.put("max_msg_sz", port.maxMessageSize());
        facts.put("pkey_tbl_len", port.pkeyTableLength());
        facts.put(
                "pkeys",
                IntStream.range(0, port.pkeyTableLength())
                        .mapToObj(index -> String.format("0x%04x", device.queryPkey(index)))
                        .toList());
        facts.put("gid_tbl_len", port.gidTableLength());
        List<GidEntry> gids = device.queryGidTable();
        facts.put("gids", gids.stream().map(entry -> entry.gid().toString()).toList());
        facts.put("gid_types", gids.stream().map(entry -> entry.type().text()).toList());
        return facts;
    }

    /** As {@code ibv_devinfo} prints one: four groups of four digits. */
    private static String guid(long guid) {
        return String.format("%016x", guid).replaceAll("(.{4})(?!$)", "$1:");
    }

    /** The number that the field's structures have for a path MTU: 1 for 256 bytes to 5 for 4096. */
    static int mtuCode(int bytes) {
        return Integer.numberOfTrailingZeros(bytes / SMALLEST_MTU);
    }
}
