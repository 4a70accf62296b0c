package org.rdma4j.tools.device;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.rdma4j.verbs.DeviceAttributes;
import org.rdma4j.verbs.DeviceCapability;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceIdentity;

/** What an open device says of itself, under the names and in the order of {@code ibv_devinfo -v}. */
final class DeviceFacts {

    /** Nothing of the kind is there: reliable datagrams, raw queue pairs, fast memory regions by calls. */
    private static final Fact NONE = Fact.of(0);

    private static final int NANOS_CLOCK_KHZ = 1_000_000;

    private DeviceFacts() {}

    static Map<String, Fact> of(DeviceContext device) {
        Map<String, Fact> facts = new LinkedHashMap<>();
        DeviceAttributes limits = device.queryDevice();
        facts.put("transport", Fact.named(device.transport(), device.transport().equals("iWARP") ? 1 : 0));
        identity(facts, device.identity());
        facts.put("phys_port_cnt", Fact.of(1));
        limits(facts, limits);
        facts.put("local_ca_ack_delay", Fact.of(limits.localCaAckDelay()));
        onDemand(facts);
        long capabilities = DeviceCapability.mask(limits.capabilities());
        facts.put("completion_timestamp_mask", Fact.hex(-1L, 16));
        facts.put("hca_core_clock", Fact.counted(NANOS_CLOCK_KHZ, "kHz"));
        facts.put("device_cap_flags_ex", Fact.hex(capabilities, 1));
        facts.put("max_tso", NONE);
        facts.put("max_rwq_indirection_tables", NONE);
        facts.put("max_rwq_indirection_table_size", NONE);
        facts.put("rx_hash_function", Fact.hex(0, 1));
        facts.put("rx_hash_fields_mask", Fact.hex(0, 1));
        facts.put("max_wq_type_rq", NONE);
        facts.put("qp_rate_limit_min", Fact.counted(0, "kbps"));
        facts.put("qp_rate_limit_max", Fact.counted(0, "kbps"));
        facts.put("tag_matching", Fact.of("not supported"));
        facts.put("max_cq_count", Fact.of(limits.maxCqModeration()));
        facts.put("max_cq_period", Fact.counted(limits.maxCqModeration(), "us"));
        facts.put("max_dm_size", Fact.counted(0, "bytes"));
        facts.put("num_comp_vectors", Fact.of(1));
        return facts;
    }

    private static void identity(Map<String, Fact> facts, DeviceIdentity identity) {
        facts.put("fw_ver", Fact.of(identity.firmwareVersion().isEmpty() ? "unknown" : identity.firmwareVersion()));
        facts.put("node_guid", Fact.of(guid(identity.nodeGuid())));
        facts.put("sys_image_guid", Fact.of(guid(identity.systemImageGuid())));
        facts.put("vendor_id", Fact.hex(identity.vendorId(), 4));
        facts.put("vendor_part_id", Fact.of(identity.vendorPartId()));
        facts.put("hw_ver", Fact.hex(identity.hardwareVersion(), 1));
    }

    private static void limits(Map<String, Fact> facts, DeviceAttributes limits) {
        facts.put("max_mr_size", Fact.hex(limits.maxMrSize(), 1));
        facts.put("page_size_cap", Fact.hex(-4096L, 1)); // pages are the memory's own affair: any size is well
        facts.put("max_qp", Fact.of(limits.maxQp()));
        facts.put("max_qp_wr", Fact.of(limits.maxQpWr()));
        facts.put(
                "device_cap_flags",
                Fact.flags(DeviceCapability.mask(limits.capabilities()) & 0xFFFF_FFFFL, 8, names(limits)));
        facts.put("max_sge", Fact.of(limits.maxSge()));
        facts.put("max_sge_rd", Fact.of(limits.maxSgeRead()));
        facts.put("max_inline_data", Fact.of(limits.maxInlineData()));
        facts.put("max_cq", Fact.of(limits.maxCq()));
        facts.put("max_cqe", Fact.of(limits.maxCqe()));
        facts.put("max_mr", Fact.of(limits.maxMr()));
        facts.put("max_pd", Fact.of(limits.maxPd()));
        facts.put("max_qp_rd_atom", Fact.of(limits.maxQpRdAtomic()));
        facts.put("max_ee_rd_atom", NONE);
        facts.put("max_res_rd_atom", Fact.of(limits.maxResRdAtomic()));
        facts.put("max_qp_init_rd_atom", Fact.of(limits.maxQpInitRdAtomic()));
        facts.put("max_ee_init_rd_atom", NONE);
        facts.put(
                "atomic_cap",
                Fact.named(
                        "ATOMIC_" + limits.atomicCapability(),
                        limits.atomicCapability().number()));
        facts.put("max_ee", NONE);
        facts.put("max_rdd", NONE);
        facts.put("max_mw", Fact.of(limits.maxMw()));
        facts.put("max_raw_ipv6_qp", NONE);
        facts.put("max_raw_ethy_qp", NONE);
        facts.put("max_mcast_grp", Fact.of(limits.maxMcastGrp()));
        facts.put("max_mcast_qp_attach", Fact.of(limits.maxMcastQpAttach()));
        facts.put("max_total_mcast_qp_attach", Fact.of(limits.maxTotalMcastQpAttach()));
        facts.put("max_ah", Fact.of(limits.maxAh()));
        facts.put("max_fmr", NONE);
        facts.put("max_srq", Fact.of(limits.maxSrq()));
        facts.put("max_srq_wr", Fact.of(limits.maxSrqWr()));
        facts.put("max_srq_sge", Fact.of(limits.maxSrqSge()));
        facts.put("max_pkeys", Fact.of(limits.maxPkeys()));
    }

    private static List<String> names(DeviceAttributes limits) {
        return limits.capabilities().stream().map(Enum::name).toList();
    }

    /** All memory is paged on demand here, whatever touches it; one region of all memory there is not. */
    private static void onDemand(Map<String, Fact> facts) {
        facts.put("general_odp_caps", Fact.names(List.of("ODP_SUPPORT")));
        facts.put("rc_odp_caps", supports("SEND RECV WRITE READ ATOMIC SRQ_RECV FLUSH ATOMIC_WRITE"));
        facts.put("uc_odp_caps", supports("SEND RECV WRITE SRQ_RECV"));
        facts.put("ud_odp_caps", supports("SEND RECV SRQ_RECV"));
        facts.put("xrc_odp_caps", supports("SEND WRITE READ ATOMIC SRQ_RECV"));
    }

    private static Fact supports(String operations) {
        return Fact.names(
                Stream.of(operations.split(" ")).map("SUPPORT_"::concat).toList());
    }

    /** As {@code ibv_devinfo} prints one: four groups of four digits. */
    private static String guid(long guid) {
        return String.format("%016x", guid).replaceAll("(.{4})(?!$)", "$1:");
    }
}
