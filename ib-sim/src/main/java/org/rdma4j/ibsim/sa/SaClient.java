package org.rdma4j.ibsim.sa;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rdma4j.ibsim.fabric.Port;
import org.rdma4j.ibsim.mad.Agents;
import org.rdma4j.ibsim.mad.Mad;
import org.rdma4j.ibsim.mad.MadProgram;
import org.rdma4j.ibsim.rmpp.RmppHeader;
import org.rdma4j.ibsim.rmpp.RmppReceiver;
import org.rdma4j.ibsim.time.Event;
import org.rdma4j.ibsim.time.EventQueue;
import org.rdma4j.wire.MadHeader;

/** Asks the subnet administrator from a host's port, and again where no answer comes. */
public final class SaClient implements MadProgram {

    /** 1 s. */
    private static final long TIMEOUT = 1_000_000_000_000L;

    private static final int ATTEMPTS = 4;

    private final Agents agents;
    private final int owner;
    private final Port port;
    private final EventQueue events;
    private final Map<Long, Question> questions = new HashMap<>();
    private long transactions;
    private RmppReceiver lastTable;
    private long lastTransaction;

    /** What is done with an answer. */
    @FunctionalInterface
    public interface Reply {

        /**
         * @param status 0 for a good answer; -1 where none came
         * @param records with a good answer
         */
        void came(int status, List<byte[]> records);
    }

    /** @param owner the program's number at the agents */
    public SaClient(Agents agents, int owner, Port port) {
        this.agents = agents;
        this.owner = owner;
        this.port = port;
        this.events = port.node().fabric().events();
        agents.attach(owner, port, this);
    }

    /**
     * Asks.
     *
     * @param method {@link Mad#GET}, {@link Mad#GET_TABLE}, {@link Mad#SET} or {@link Mad#DELETE}
     * @param componentMask which fields of the record count
     */
    public void ask(int method, int attribute, long componentMask, byte[] record, Reply reply) {
        long transaction = ++transactions;
        Mad mad = SaMad.request(method, attribute, componentMask, record);
        mad.setTransactionId(transaction);
        mad.destinationLid = agents.of(port.node()).masterLid(port.number());
        mad.sourceQp = MadHeader.GSI_QPN;
        mad.destinationQp = MadHeader.GSI_QPN;
        Question question = new Question(mad, reply);
        questions.put(transaction, question);
        question.send();
    }

    private final class Question extends Event {
        private final Mad mad;
        private final Reply reply;
        private RmppReceiver table = fresh();
        private int attempts;

        Question(Mad mad, Reply reply) {
            this.mad = mad;
            this.reply = reply;
        }

        private RmppReceiver fresh() {
            return new RmppReceiver(SaMad.CLASS_HEADER, ack -> agents.send(owner, ack, events.now()));
        }

        void send() {
            attempts++;
            events.move(this, events.now() + TIMEOUT);
            Mad copy = Mad.copyOf(mad.bytes(), 0);
            copy.destinationLid = mad.destinationLid;
            copy.sourceQp = mad.sourceQp;
            copy.destinationQp = mad.destinationQp;
            agents.send(owner, copy, events.now());
        }

        @Override
        protected void happen(long now) {
            if (attempts < ATTEMPTS) {
                table = fresh();
                send();
            } else {
                end(-1, List.of());
            }
        }

        private void end(int status, List<byte[]> records) {
            events.cancel(this);
            questions.remove(mad.transactionId());
            reply.came(status, records);
        }

        void received(Mad answer) {
            if (!RmppHeader.isActive(answer)) {
                boolean good = answer.status() == Mad.OK;
                byte[] record = SaMad.record(answer, SaMad.WORD * answer.int16(SaMad.ATTRIBUTE_OFFSET));
                end(answer.status(), good ? List.of(record) : List.of());
                return;
            }
            events.move(this, events.now() + TIMEOUT);
            table.received(answer); // in one's own node the next segment comes with the acknowledgement of this one
            if (table.isComplete() && questions.containsKey(mad.transactionId())) {
                lastTable = table;
                lastTransaction = mad.transactionId();
                end(Mad.OK, records(table.data(), SaMad.WORD * answer.int16(SaMad.ATTRIBUTE_OFFSET)));
            }
        }
    }

    private static List<byte[]> records(byte[] table, int stride) {
        List<byte[]> records = new ArrayList<>();
        for (int at = 0; stride > 0 && at + stride <= table.length; at += stride) {
            records.add(Arrays.copyOfRange(table, at, at + stride));
        }
        return records;
    }

    @Override
    public int qpn() {
        return 0;
    }

    @Override
    public boolean isManager() {
        return false;
    }

    @Override
    public void received(Mad mad) {
        long transaction = mad.transactionId() & Mad.OWN_TRANSACTION;
        Question question = questions.get(transaction);
        if (question != null) {
            question.received(mad);
        } else if (transaction == lastTransaction && RmppHeader.isActive(mad)) {
            lastTable.received(mad); // its end once more: the acknowledgement was lost
        }
    }

    @Override
    public void undelivered(Mad mad) {} // it is asked again when the time is over
}
