package org.rdma4j.ibsim.sa;

import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rdma4j.ibsim.mad.Mad;
import org.rdma4j.ibsim.rmpp.RmppHeader;
import org.rdma4j.ibsim.rmpp.RmppSender;
import org.rdma4j.ibsim.sm.Administration;
import org.rdma4j.ibsim.sm.FoundSubnet;
import org.rdma4j.ibsim.sm.SubnetManager;
import org.rdma4j.ibsim.time.Event;
import org.rdma4j.ibsim.time.EventQueue;

/** Answers questions about a master's subnet: a record, or tables of them in segments (IBTA volume 1, 15.4). */
public final class SubnetAdministrator implements Administration {

    private static final int CLASS_PORT_INFO_LENGTH = 72;
    private static final int CLASS_VERSION = 2;
    private static final int RESPONSE_TIME = 18;
    private static final int RESPONSE_TIME_OFFSET = 7;

    /** 200 ms until a segment that is not acknowledged is sent again. */
    private static final long TIMEOUT = 200_000_000_000L;

    private final SubnetManager manager;
    private final EventQueue events;
    private final Map<Asker, RmppSender> tables = new LinkedHashMap<>();
    private final Event timer = new Timer();
    private final MulticastGroups groups;
    private FoundSubnet subnet = new FoundSubnet();

    private record Asker(int lid, int qpn, long transaction) {}

    private SubnetAdministrator(SubnetManager manager) {
        this.manager = manager;
        this.events = manager.events();
        this.groups = new MulticastGroups(manager, subnet);
    }

    /** Has a manager's subnet administered, whenever it is master. */
    public static SubnetAdministrator of(SubnetManager manager) {
        SubnetAdministrator administrator = new SubnetAdministrator(manager);
        manager.setAdministration(administrator);
        return administrator;
    }

    @Override
    public void subnetIsUp(FoundSubnet found) {
        subnet = found;
        groups.subnetIsUp(found);
    }

    @Override
    public void stop() {
        tables.clear();
        events.cancel(timer);
    }

    @Override
    public void received(Mad mad) {
        Asker asker = new Asker(mad.sourceLid, mad.sourceQp, mad.transactionId());
        if (RmppHeader.isActive(mad) && RmppHeader.type(mad) != RmppHeader.DATA) {
            RmppSender sender = tables.get(asker);
            if (sender != null && sender.received(mad, events.now()) != RmppSender.Outcome.GOING_ON) {
                tables.remove(asker);
            }
            planTimer();
            return;
        }
        if (mad.isResponse() || tables.containsKey(asker)) {
            return; // the question came again while its answer is on its way
        }
        answer(mad, asker);
    }

    private void answer(Mad mad, Asker asker) {
        int method = mad.method();
        Answer answer = switch (method) {
            case Mad.GET, Mad.GET_TABLE -> find(mad);
            case Mad.SET, Mad.DELETE -> change(mad, method == Mad.SET);
            default -> Answer.failed(Mad.BAD_METHOD);
        };
        mad.turnRound();
        mad.setMethod(method == Mad.SET ? Mad.GET_RESP : method | Mad.RESPONSE);
        mad.setInt64(RmppHeader.VERSION_OFFSET, 0);
        mad.setInt32(RmppHeader.DATA_2_OFFSET, 0);
        int length = answer.records().isEmpty() ? 0 : answer.records().getFirst().length;
        mad.setInt16(SaMad.ATTRIBUTE_OFFSET, SaMad.stride(length) / SaMad.WORD);
        if (method == Mad.GET_TABLE && answer.status() == Mad.OK) {
            sendTable(mad, asker, table(answer.records(), SaMad.stride(length)));
            return;
        }
        int status = answer.status();
        if (status == Mad.OK && answer.records().size() != 1) {
            status = answer.records().isEmpty() ? SaMad.NO_RECORDS : SaMad.TOO_MANY_RECORDS;
        }
        mad.setStatus(status);
        if (status == Mad.OK) {
            SaMad.setRecord(mad, answer.records().getFirst());
        }
        manager.send(mad);
    }

    private Answer find(Mad mad) {
        return switch (mad.attribute()) {
            case SaMad.CLASS_PORT_INFO -> classPortInfo(mad);
            case SaMad.NODE_RECORD -> NodeRecords.find(subnet, match(mad, NodeRecords.LENGTH));
            case SaMad.PORT_INFO_RECORD -> PortInfoRecords.find(subnet, match(mad, PortInfoRecords.LENGTH));
            case SaMad.PATH_RECORD ->
                PathRecords.find(subnet, SaMad.record(mad, PathRecords.LENGTH), match(mad, PathRecords.LENGTH));
            case SaMad.MC_MEMBER_RECORD ->
                groups.find(SaMad.record(mad, MulticastGroup.LENGTH), match(mad, MulticastGroup.LENGTH));
            default -> Answer.failed(Mad.BAD_ATTRIBUTE);
        };
    }

    private Answer change(Mad mad, boolean join) {
        if (mad.attribute() != SaMad.MC_MEMBER_RECORD) {
            return Answer.failed(Mad.BAD_ATTRIBUTE);
        }
        byte[] wanted = SaMad.record(mad, MulticastGroup.LENGTH);
        RecordMatch match = match(mad, MulticastGroup.LENGTH);
        return join ? groups.join(wanted, match) : groups.leave(wanted, match);
    }

    private static RecordMatch match(Mad mad, int length) {
        return new RecordMatch(SaMad.record(mad, length), SaMad.componentMask(mad));
    }

    private static Answer classPortInfo(Mad mad) {
        if (mad.method() != Mad.GET) {
            return Answer.failed(Mad.BAD_METHOD);
        }
        byte[] record = new byte[CLASS_PORT_INFO_LENGTH];
        record[0] = 1;
        record[1] = CLASS_VERSION;
        record[RESPONSE_TIME_OFFSET] = RESPONSE_TIME;
        return Answer.of(List.of(record));
    }

    // Tables.

    private static byte[] table(List<byte[]> records, int stride) {
        byte[] table = new byte[records.size() * stride];
        for (int at = 0; at < records.size(); at++) {
            MemorySegment.copy(
                    MemorySegment.ofArray(records.get(at)),
                    0,
                    MemorySegment.ofArray(table),
                    (long) at * stride,
                    records.get(at).length);
        }
        return table;
    }

    private void sendTable(Mad head, Asker asker, byte[] table) {
        head.setStatus(Mad.OK);
        RmppSender sender = new RmppSender(head, SaMad.CLASS_HEADER, table, TIMEOUT, manager::send);
        tables.put(asker, sender);
        sender.start(events.now());
        planTimer();
    }

    private void planTimer() {
        long earliest =
                tables.values().stream().mapToLong(RmppSender::deadline).min().orElse(Long.MAX_VALUE);
        if (earliest == Long.MAX_VALUE) {
            events.cancel(timer);
        } else {
            events.move(timer, earliest);
        }
    }

    private final class Timer extends Event {
        @Override
        protected void happen(long now) {
            tables.values().removeIf(sender -> sender.onTime(now) != RmppSender.Outcome.GOING_ON);
            planTimer();
        }
    }
}
