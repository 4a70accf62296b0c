package org.rdma4j.ibsim.sa;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.rdma4j.ibsim.fabric.Lids;
import org.rdma4j.ibsim.sm.FoundPort;
import org.rdma4j.ibsim.sm.FoundSubnet;
import org.rdma4j.ibsim.sm.SubnetManager;
import org.rdma4j.wire.Gid;

/** The multicast groups of a subnet: made by the first who joins, gone with the last full member (IBTA volume 1, 15.2.5.17). */
final class MulticastGroups {

    private static final int MGID_COMPONENT = 0;
    private static final int PORT_GID_COMPONENT = 1;
    private static final int MLID_COMPONENT = 3;
    private static final int JOIN_STATE_COMPONENT = 16;

    /** What a record must say to make a group: Q_Key, TClass, P_Key, SL, FlowLabel. */
    private static final int[] NEEDED_TO_CREATE = {2, 6, 7, 12, 13};

    /** What a record that joins may say, and then as the group has it: component, offset, length. */
    private static final int[][] FIXED = {{2, 32, 4}, {3, 36, 2}, {6, 39, 1}, {7, 40, 2}};

    private final SubnetManager manager;
    private final Map<Gid, MulticastGroup> groups = new LinkedHashMap<>();
    private FoundSubnet subnet;

    MulticastGroups(SubnetManager manager, FoundSubnet subnet) {
        this.manager = manager;
        this.subnet = subnet;
    }

    /** The subnet was found anew: ways of all groups are led anew. */
    void subnetIsUp(FoundSubnet found) {
        subnet = found;
        groups.values().forEach(this::lead);
    }

    Answer join(byte[] wanted, RecordMatch match) {
        Gid gid = MulticastGroup.groupGid(wanted);
        FoundPort port = subnet.portOf(MulticastGroup.portGid(wanted).low());
        int joinState = wanted[MulticastGroup.SCOPE_JOIN_STATE] & MulticastGroup.JOIN_STATE;
        if (!match.names(MGID_COMPONENT) || !match.names(PORT_GID_COMPONENT) || !match.names(JOIN_STATE_COMPONENT)) {
            return Answer.failed(SaMad.INSUFFICIENT_COMPONENTS);
        }
        if (!gid.isMulticast() || port == null || joinState == 0) {
            return Answer.failed(SaMad.INVALID_REQUEST);
        }
        MulticastGroup group = groups.get(gid);
        if (group == null) {
            for (int component : NEEDED_TO_CREATE) {
                if (!match.names(component)) {
                    return Answer.failed(SaMad.INSUFFICIENT_COMPONENTS);
                }
            }
            int lid = freeLid();
            if ((joinState & MulticastGroup.FULL) == 0) {
                return Answer.failed(SaMad.INVALID_REQUEST);
            }
            if (lid < 0) {
                return Answer.failed(SaMad.NO_RESOURCES);
            }
            group = new MulticastGroup(wanted, lid);
            groups.put(gid, group);
        } else {
            byte[] record = group.record();
            for (int[] field : FIXED) {
                if (!match.field(record, field[0], field[1], field[2])) {
                    return Answer.failed(SaMad.INVALID_REQUEST);
                }
            }
        }
        group.join(port.guid(), joinState);
        lead(group);
        return Answer.of(List.of(group.record(port.guid())));
    }

    private int freeLid() {
        Set<Integer> taken = groups.values().stream().map(MulticastGroup::lid).collect(Collectors.toSet());
        for (int lid = Lids.FIRST_MULTICAST; lid < Lids.FIRST_MULTICAST + SubnetManager.MULTICAST_GROUPS; lid++) {
            if (!taken.contains(lid)) {
                return lid;
            }
        }
        return -1;
    }

    Answer leave(byte[] wanted, RecordMatch match) {
        if (!match.names(MGID_COMPONENT) || !match.names(PORT_GID_COMPONENT) || !match.names(JOIN_STATE_COMPONENT)) {
            return Answer.failed(SaMad.INSUFFICIENT_COMPONENTS);
        }
        MulticastGroup group = groups.get(MulticastGroup.groupGid(wanted));
        long port = MulticastGroup.portGid(wanted).low();
        int joinState = wanted[MulticastGroup.SCOPE_JOIN_STATE] & MulticastGroup.JOIN_STATE;
        if (group == null || !group.leave(port, joinState)) {
            return Answer.failed(SaMad.INVALID_REQUEST);
        }
        byte[] record = group.record(port);
        if (group.isOver()) {
            groups.remove(MulticastGroup.groupGid(wanted));
            group.members().clear();
        }
        lead(group);
        return Answer.of(List.of(record));
    }

    private void lead(MulticastGroup group) {
        List<FoundPort> receivers = new ArrayList<>();
        List<FoundPort> senders = new ArrayList<>();
        group.members().forEach((guid, state) -> {
            FoundPort port = subnet.portOf(guid);
            if (port != null) {
                (state == MulticastGroup.SEND_ONLY ? senders : receivers).add(port);
            }
        });
        manager.setMulticast(group.lid(), receivers, senders);
    }

    /** One record for each group, or, where a port is asked for, for each of its memberships. */
    Answer find(byte[] wanted, RecordMatch match) {
        List<byte[]> records = new ArrayList<>();
        long port = MulticastGroup.portGid(wanted).low();
        for (MulticastGroup group : groups.values()) {
            boolean member = match.names(PORT_GID_COMPONENT);
            if (member && !group.members().containsKey(port)) {
                continue;
            }
            byte[] record = member ? group.record(port) : group.record();
            if (match.field(record, MGID_COMPONENT, MulticastGroup.MGID, 16)
                    && match.field(record, MLID_COMPONENT, MulticastGroup.MLID, 2)) {
                records.add(record);
            }
        }
        return Answer.of(records);
    }
}
