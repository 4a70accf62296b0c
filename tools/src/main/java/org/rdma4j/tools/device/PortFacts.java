package org.rdma4j.tools.device;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.GidEntry;
import org.rdma4j.verbs.PortAttributes;
import org.rdma4j.verbs.PortCapability;
import org.rdma4j.verbs.SubnetAttributes;

/** What the port of an open device says of itself, under the names and in the order of {@code ibv_devinfo -v}. */
final class PortFacts {

    private static final int SMALLEST_MTU = 128; // the MTU whose code would be 0

    private PortFacts() {}

    static Map<String, Fact> of(DeviceContext device) {
        PortAttributes port = device.queryPort();
        SubnetAttributes subnet = port.subnet();
        Map<String, Fact> facts = new LinkedHashMap<>();
        facts.put("state", Fact.named("PORT_" + port.state(), port.state().number()));
        facts.put("max_mtu", mtu(port.maxMtu()));
        facts.put("active_mtu", mtu(port.activeMtu()));
        facts.put("interface_mtu", Fact.of(port.interfaceMtu()));
        facts.put("sm_lid", Fact.of(subnet.smLid()));
        facts.put("port_lid", Fact.of(subnet.lid()));
        facts.put("port_lmc", Fact.hex(subnet.lmc(), 2));
        facts.put("link_layer", Fact.of(port.linkLayer().text()));
        facts.put("max_msg_sz", Fact.hex(port.maxMessageSize(), 1));
        facts.put(
                "port_cap_flags",
                Fact.flags(
                        PortCapability.mask(port.capabilities()),
                        8,
                        port.capabilities().stream().map(Enum::name).toList()));
        facts.put("port_cap_flags2", Fact.hex(0, 4));
        facts.put("max_vl_num", Fact.of(port.maxVl()));
        facts.put("bad_pkey_cntr", Fact.hex(port.badPkeys(), 1));
        facts.put("qkey_viol_cntr", Fact.hex(port.badQkeys(), 1));
        facts.put("sm_sl", Fact.of(subnet.smSl()));
        facts.put("pkey_tbl_len", Fact.of(port.pkeyTableLength()));
        facts.put("gid_tbl_len", Fact.of(port.gidTableLength()));
        facts.put("subnet_timeout", Fact.of(subnet.subnetTimeout()));
        facts.put("init_type_reply", Fact.of(subnet.initTypeReply()));
        facts.put("active_width", Fact.unknown());
        facts.put("active_speed", Fact.unknown());
        facts.put(
                "phys_state",
                Fact.named(port.physicalState().name(), port.physicalState().number()));
        return facts;
    }

    /** The entries of the P_Key table, in the order of their indices. */
    static List<String> pkeys(DeviceContext device) {
        return IntStream.range(0, device.queryPort().pkeyTableLength())
                .mapToObj(index -> String.format("0x%04x", device.queryPkey(index)))
                .toList();
    }

    static List<String> gids(DeviceContext device) {
        return device.queryGidTable().stream()
                .map(GidEntry::gid)
                .map(Object::toString)
                .toList();
    }

    static List<String> gidTypes(DeviceContext device) {
        return device.queryGidTable().stream().map(entry -> entry.type().text()).toList();
    }

    /** With the number that the field's structures have for a path MTU: 1 for 256 bytes to 5 for 4096. */
    private static Fact mtu(int bytes) {
        return new Fact(
                bytes, String.format("%d (%d)", bytes, Integer.numberOfTrailingZeros(bytes / SMALLEST_MTU)), List.of());
    }
}
