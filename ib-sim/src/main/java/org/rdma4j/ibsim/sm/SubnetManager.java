package org.rdma4j.ibsim.sm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rdma4j.ibsim.fabric.Port;
import org.rdma4j.ibsim.mad.Agents;
import org.rdma4j.ibsim.mad.Mad;
import org.rdma4j.ibsim.mad.MadProgram;
import org.rdma4j.ibsim.mad.Smp;
import org.rdma4j.ibsim.time.Event;
import org.rdma4j.ibsim.time.EventQueue;

/**
 * A subnet manager at a port (IBTA volume 1, 14.4). It sweeps the subnet and finds out whether it is to be its master; the
 * master sets the subnet up and sweeps again now and then, and when a switch tells of a link; the others ask the master
 * whether it is still there, and look for themselves when it is not.
 */
public final class SubnetManager implements MadProgram {

    /** Groups that there can be. */
    public static final int MULTICAST_GROUPS = 1024;

    private static final int NOTICE_NUMBER = Mad.DATA + 4;
    private static final int LINK_STATE_CHANGED = 128;
    private static final int MISSED_POLLS = 3;

    private final Agents agents;
    private final int owner;
    private final Port port;
    private final SmOptions options;
    private final EventQueue events;
    private final SmpClient client;
    private final Event sweepTimer = new SweepTimer();
    private final Event pollTimer = new PollTimer();
    private final Map<Integer, Integer> notices = new HashMap<>();
    private final List<SmInfo> others = new ArrayList<>();

    private SmState state = SmState.NOT_ACTIVE;
    private int actCount;
    private FoundSubnet subnet = new FoundSubnet();
    private MulticastRoutes multicast;
    private Administration administration;
    private boolean sweeping;
    private boolean sweepAgain;
    private boolean up;
    private long masterGuid;
    private int missedPolls;

    /** @param owner the program's number at the agents */
    public SubnetManager(Agents agents, int owner, Port port, SmOptions options) {
        this.agents = agents;
        this.owner = owner;
        this.port = port;
        this.options = options;
        this.events = port.node().fabric().events();
        this.client = new SmpClient(events, this::send);
        this.multicast = new MulticastRoutes(client, subnet, MULTICAST_GROUPS);
    }

    /** Who answers questions, while this manager is the master. */
    public void setAdministration(Administration next) {
        administration = next;
    }

    public SmState state() {
        return state;
    }

    /** True for a master whose subnet is set up as it was found last. */
    public boolean isUp() {
        return up;
    }

    /** What the last sweep found. */
    public FoundSubnet subnet() {
        return subnet;
    }

    /** Traps of a number that have come. */
    public int notices(int number) {
        return notices.getOrDefault(number, 0);
    }

    public Port port() {
        return port;
    }

    /** The subnet's time. */
    public EventQueue events() {
        return events;
    }

    /** Starts to work. */
    public void start() {
        state = SmState.DISCOVERING;
        agents.attach(owner, port, this);
        sweep();
    }

    /** Works no more, and tells nobody. */
    public void stop() {
        agents.detach(owner);
        events.cancel(sweepTimer);
        events.cancel(pollTimer);
        client.clear();
        leave(SmState.NOT_ACTIVE);
    }

    private void leave(SmState next) {
        if (state == SmState.MASTER && administration != null) {
            administration.stop();
        }
        state = next;
        up = false;
        sweeping = false;
    }

    /** Sends a datagram from this manager's port. */
    public void send(Mad mad) {
        agents.send(owner, mad, events.now());
    }

    // Sweeps.

    private void sweep() {
        if (sweeping) {
            sweepAgain = true;
            return;
        }
        sweeping = true;
        sweepAgain = false;
        Discovery.run(client, this::found);
    }

    private void found(FoundSubnet whole) {
        subnet = whole;
        others.clear();
        for (FoundPort other : whole.endPorts()) {
            if (other.hasManager() && other.guid() != port.guid()) {
                client.get(other.node().path(), SmInfo.ATTRIBUTE, 0, mad -> {
                    if (mad != null) {
                        others.add(SmInfo.parse(mad));
                    }
                });
            }
        }
        client.whenIdle(this::decide);
    }

    private SmInfo info() {
        return new SmInfo(port.guid(), options.key(), actCount, options.priority(), state);
    }

    /** Who is to be the master (14.4.1.2 and 14.4.1.3). */
    private void decide() {
        SmInfo above = null;
        for (SmInfo other : others) {
            if (state == SmState.DISCOVERING && other.state() == SmState.MASTER) {
                standBy(other.guid()); // whatever its rank: it hands over if it has to
                return;
            }
            if (other.state() != SmState.NOT_ACTIVE && other.outranks(above == null ? info() : above)) {
                above = other;
            }
        }
        if (state == SmState.DISCOVERING && above != null) {
            standBy(above.guid());
            return;
        }
        state = SmState.MASTER;
        if (above != null && above.state() != SmState.DISCOVERING) {
            handOver(above.guid());
        } else {
            setUp();
        }
    }

    /** The other one is master from its answer on; OpenSM sends no acknowledgement besides. */
    private void handOver(long guid) {
        tell(guid, SmInfo.HANDOVER, answer -> {
            if (answer != null && answer.status() == Smp.DIRECTION) {
                standBy(guid);
            } else {
                setUp();
            }
        });
    }

    private void setUp() {
        LidAssignment.assign(subnet);
        FoundPort own = subnet.portOf(port.guid());
        if (own == null) { // its own node does not answer: a key of another manager's
            sweeping = false;
            events.move(sweepTimer, events.now() + options.sweepPeriod());
            return;
        }
        Routes routes = options.routes().compute(subnet);
        subnet.setRoutes(routes);
        SubnetSetup.run(client, subnet, routes, own.lid(), this::setUpDone);
    }

    private void setUpDone() {
        sweeping = false;
        up = true;
        multicast = new MulticastRoutes(client, subnet, MULTICAST_GROUPS);
        if (administration != null) {
            administration.subnetIsUp(subnet);
        }
        events.move(sweepTimer, events.now() + options.sweepPeriod());
        if (sweepAgain) {
            sweep();
        }
    }

    /** Leads a multicast LID's packets to those who receive them, from those who only send as well. */
    public void setMulticast(int lid, List<FoundPort> receivers, List<FoundPort> senders) {
        multicast.set(lid, receivers, senders);
    }

    private final class SweepTimer extends Event {
        @Override
        protected void happen(long now) {
            if (state == SmState.MASTER) {
                sweep();
            }
        }
    }

    // Others.

    private void standBy(long guid) {
        client.clear();
        leave(SmState.STANDBY);
        masterGuid = guid;
        missedPolls = 0;
        events.cancel(sweepTimer);
        events.move(pollTimer, events.now() + options.pollPeriod());
    }

    /** Looks for itself: the master is gone, or somebody says so. */
    private void discover() {
        client.clear();
        events.cancel(pollTimer);
        leave(SmState.DISCOVERING);
        sweep();
    }

    private void tell(long guid, int what, SmpClient.Reply reply) {
        FoundPort other = subnet.portOf(guid);
        if (other == null) {
            reply.came(null);
            return;
        }
        Mad mad = Smp.directed(Mad.SET, SmInfo.ATTRIBUTE, what, other.node().path(), 0);
        info().emit(mad);
        client.ask(mad, reply);
    }

    private final class PollTimer extends Event {
        @Override
        protected void happen(long now) {
            FoundPort master = subnet.portOf(masterGuid);
            if (state != SmState.STANDBY) {
                return;
            }
            if (master == null) {
                discover();
                return;
            }
            client.get(master.node().path(), SmInfo.ATTRIBUTE, 0, SubnetManager.this::polled);
        }
    }

    private void polled(Mad mad) {
        if (state != SmState.STANDBY) {
            return;
        }
        missedPolls = mad != null && SmInfo.parse(mad).state() == SmState.MASTER ? 0 : missedPolls + 1;
        if (mad == null || missedPolls == MISSED_POLLS) {
            discover();
        } else {
            events.move(pollTimer, events.now() + options.pollPeriod());
        }
    }

    // What comes.

    @Override
    public int qpn() {
        return 1;
    }

    @Override
    public boolean isManager() {
        return state != SmState.NOT_ACTIVE;
    }

    @Override
    public void undelivered(Mad mad) {} // a packet that is lost tells nobody: whoever waits for its answer finds out

    @Override
    public void received(Mad mad) {
        actCount++;
        if (mad.managementClass() == Mad.SUBNET_ADMINISTRATION) {
            if (administration != null && up) {
                administration.received(mad);
            }
        } else if (mad.method() == Mad.GET_RESP) {
            client.received(mad);
        } else if (mad.method() == Mad.TRAP) {
            trap(mad);
        } else if (mad.attribute() == SmInfo.ATTRIBUTE) {
            told(mad);
        }
    }

    private void trap(Mad mad) {
        if (state != SmState.MASTER) {
            return;
        }
        int number = mad.int16(NOTICE_NUMBER);
        notices.merge(number, 1, Integer::sum);
        Mad repress = Mad.copyOf(mad.bytes(), 0);
        repress.sourceLid = mad.destinationLid;
        repress.destinationLid = mad.sourceLid;
        repress.setMethod(Mad.TRAP_REPRESS);
        send(repress);
        if (number == LINK_STATE_CHANGED) {
            sweep();
        }
    }

    private void told(Mad mad) {
        int what = mad.modifier();
        boolean set = mad.method() == Mad.SET;
        SmInfo other = SmInfo.parse(mad);
        int status = !set || answers(what) ? Mad.OK : Mad.INVALID_FIELD;
        Smp.turnRound(mad, status);
        info().emit(mad);
        send(mad);
        if (set && status == Mad.OK) {
            obey(what, other);
        }
    }

    /** The orders that mean something in a state (14.4.1.1). */
    private boolean answers(int what) {
        return switch (what) {
            case SmInfo.HANDOVER -> state == SmState.STANDBY || state == SmState.DISCOVERING || state == SmState.MASTER;
            case SmInfo.ACKNOWLEDGE -> state == SmState.MASTER || state == SmState.STANDBY;
            case SmInfo.DISABLE, SmInfo.DISCOVER -> state == SmState.STANDBY;
            default -> false;
        };
    }

    private void obey(int what, SmInfo other) {
        switch (what) {
            case SmInfo.HANDOVER -> {
                tell(other.guid(), SmInfo.ACKNOWLEDGE, answer -> {});
                if (state != SmState.MASTER) {
                    events.cancel(pollTimer);
                    state = SmState.MASTER;
                    sweep();
                }
            }
            case SmInfo.ACKNOWLEDGE -> {
                if (state == SmState.MASTER) {
                    standBy(other.guid());
                }
            }
            case SmInfo.DISABLE -> {
                client.clear();
                events.cancel(pollTimer);
                leave(SmState.NOT_ACTIVE);
            }
            case SmInfo.DISCOVER -> discover();
            default -> throw new AssertionError("order " + what);
        }
    }
}
