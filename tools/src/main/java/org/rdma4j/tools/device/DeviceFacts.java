package org.rdma4j.tools.device;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.rdma4j.verbs.DeviceAttributes;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceOptions;
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
        facts.put("max_qp_rd_atom", limits.maxQpRdAtomic());
        facts.put("max_qp_init_rd_atom", limits.maxQpInitRdAtomic());
        facts.put("local_ca_ack_delay", limits.localCaAckDelay());
        facts.put("port", port(device, limits));
        return facts;
    }

    private static Map<String, Object> port(DeviceContext device, DeviceAttributes limits) {
        PortAttributes port = device.queryPort();
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("port", 1);
        facts.put("state", port.active() ? "PORT_ACTIVE" : "PORT_DOWN");
        facts.put("max_mtu", port.maxMtu());
        facts.put("active_mtu", port.activeMtu());
        facts.put("interface_mtu", port.interfaceMtu());
        facts.put("link_layer", "Ethernet");
        facts.put("max_msg_sz", limits.maxMessageSize());
        facts.put("pkey_tbl_len", port.pkeyTableLength());
        facts.put(
                "pkeys",
                IntStream.range(0, port.pkeyTableLength())
                        .mapToObj(index -> String.format("0x%04x", device.queryPkey(index)))
                        .toList());
        facts.put("gid_tbl_len", port.gidTableLength());
        facts.put(
                "gids",
                IntStream.range(0, port.gidTableLength())
                        .mapToObj(index -> device.queryGid(index).toString())
                        .toList());
        return facts;
    }

    /** The number that the field's structures have for a path MTU: 1 for 256 bytes to 5 for 4096. */
    static int mtuCode(int bytes) {
        return Integer.numberOfTrailingZeros(bytes / SMALLEST_MTU);
    }
}
