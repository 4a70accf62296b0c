package org.rdma4j.tools.conform.check;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.rdma4j.verbs.QpType;
import org.rdma4j.wire.Grh;

/**
 * One check: a rule, what is done to the peer, and what it should do. Written as a sentence: {@code
 * Check.responder("PSN-01a", "…").clause("9.7.1").on(Service.WRITE).stimulus("…").answer("…").story(peer -> …)}.
 */
public final class Check {

    private final String id;
    private final Role role;
    private final String title;
    private String clause = "";
    private String stimulus = "";
    private String answer = "";
    private Service service = Service.WRITE;
    private QpType type = QpType.RC;
    private boolean congestionControlled;
    private boolean framed;
    private Function<Integer, Work> work;
    private Setup setup = Setup.STOCK;
    private List<String> options = List.of();
    private String needs;
    private boolean wearsOut;
    private boolean once;
    private Application application = Application.SERVER;
    private Course course;

    private Check(String id, Role role, String title) {
        this.id = id;
        this.role = role;
        this.title = title;
    }

    /** @param id the catalogue's row, with a letter behind it where a row has several checks */
    public static Check responder(String id, String title) {
        return new Check(id, Role.RESPONDER, title);
    }

    public static Check requester(String id, String title) {
        return new Check(id, Role.REQUESTER, title);
    }

    /** Of a connection manager that is asked for a connection. */
    public static Check passive(String id, String title) {
        return new Check(id, Role.PASSIVE, title);
    }

    /** Of a connection manager that asks for one. */
    public static Check active(String id, String title) {
        return new Check(id, Role.ACTIVE, title);
    }

    /** Where the rule stands: a clause of the IBTA specification, volume 1, or one of its compliance statements. */
    public Check clause(String value) {
        clause = value;
        return this;
    }

    public Check stimulus(String value) {
        stimulus = value;
        return this;
    }

    public Check answer(String value) {
        answer = value;
        return this;
    }

    /** What the peer's queue pair is for; {@link Service#WRITE} if nothing is said. */
    public Check on(Service value) {
        service = value;
        return this;
    }

    /** The transport service of the peer's queue pair; RC if nothing is said. */
    public Check over(QpType value) {
        type = value;
        return this;
    }

    /** The peer is told of marks of congestion, and does congestion control where it can be switched on. */
    public Check congestionControlled() {
        congestionControlled = true;
        return this;
    }

    /** The hand-played side makes Ethernet frames of its own. */
    public Check framed() {
        framed = true;
        return this;
    }

    /** What the peer is asked to do, given the path MTU. */
    public Check work(Work.Op op, int count, Function<Integer, Integer> size) {
        work = mtu -> new Work(op, size.apply(mtu), count);
        return this;
    }

    public Check work(Work.Op op, int count, int size) {
        return work(op, count, mtu -> size);
    }

    /** The peer's queue pair is set up like this, which no ordinary program does. */
    public Check setup(Setup value) {
        setup = value;
        return this;
    }

    /** The standard leaves this open, or sources disagree: the story says which of these it saw. rdma4j does the first. */
    public Check open(String... behaviours) {
        options = List.of(behaviours);
        return this;
    }

    /** The check looks inside the peer, which only the built-in one lets it do. */
    public Check inside(String what) {
        needs = what;
        return this;
    }

    /** The peer's program ends with the story. */
    public Check wearsOut() {
        wearsOut = true;
        return this;
    }

    /** The check takes long, and no variant matters to it: the first one will do. */
    public Check once() {
        once = true;
        return this;
    }

    /** What the program does that uses the peer's connection manager; {@link Application#SERVER} if nothing is said. */
    public Check application(Application value) {
        application = value;
        return this;
    }

    public Check story(ResponderStory story) {
        course = new ResponderCourse(story);
        return this;
    }

    public Check play(RequesterStory story) {
        course = new RequesterCourse(story);
        return this;
    }

    /** A check that goes another way than those of a queue pair over RoCE v2. */
    public Check course(Course value) {
        course = value;
        return this;
    }

    /** The story of a responder that acknowledges nothing. */
    public Check unackedStory(UnackedStory story) {
        course = new UnackedCourse(story);
        return this;
    }

    public Check unackedPlay(UnackedRequesterStory story) {
        course = new UnackedRequesterCourse(story);
        return this;
    }

    /** Troubled connections beside one that is not. */
    public Check isolation(IsolationStory story) {
        course = new IsolationCourse(story);
        return this;
    }

    /** The hand-played side asks for connections. */
    public Check asking(Consumer<CmPassive> story) {
        course = new PassiveCourse(story);
        return this;
    }

    /** The hand-played side is asked for one. */
    public Check asked(Consumer<CmActive> story) {
        course = new ActiveCourse(story);
        return this;
    }

    public String id() {
        return id;
    }

    /** The catalogue's row: the id without its letter. */
    public String row() {
        return id.matches(".*\\d[a-z]") ? id.substring(0, id.length() - 1) : id;
    }

    /** The catalogue's group: the letters in front. */
    public String group() {
        return id.substring(0, id.indexOf('-'));
    }

    public Role role() {
        return role;
    }

    public String title() {
        return title;
    }

    public String clause() {
        return clause;
    }

    public String stimulus() {
        return stimulus;
    }

    public String answer() {
        return answer;
    }

    public Service service() {
        return service;
    }

    /** The program of perftest that plays the peer's part; empty where none does. */
    public String tool() {
        if (role == Role.REQUESTER) {
            String tool = work(Variant.USUAL.mtu()).op().tool();
            return type == QpType.RC ? tool : tool + " -c " + type;
        }
        return type == QpType.RC ? service.tool() : service.unackedTool() + " -c " + type;
    }

    public QpType type() {
        return type;
    }

    public boolean isFramed() {
        return framed;
    }

    public boolean isCongestionControlled() {
        return congestionControlled;
    }

    public Work work(int mtu) {
        return work.apply(mtu);
    }

    public Setup setup() {
        return setup;
    }

    /** Bytes of each receive of the peer's: a datagram's has room for the path MTU and the 40 bytes in front. */
    public int receiveSize(int mtu) {
        boolean stock = setup.receiveSize() == Setup.RECEIVE_SIZE;
        return type == QpType.UD && stock ? Grh.LENGTH + mtu : setup.receiveSize();
    }

    public List<String> options() {
        return options;
    }

    /** What of the peer's inside the check looks at; {@code null}: nothing that it cannot do without. */
    public String needs() {
        return needs;
    }

    public boolean isWearing() {
        return wearsOut;
    }

    /** True where one variant is enough. */
    public boolean isOnce() {
        return once;
    }

    /** The ways in which it is run. */
    public List<Variant> variants() {
        return once ? course.variants().subList(0, 1) : course.variants();
    }

    public Application application() {
        return application;
    }

    /** The ordinary program that a peer runs for it; empty where none does. */
    public String program() {
        return course.program(this);
    }

    public Course course() {
        return course;
    }

    @Override
    public String toString() {
        return id + ": " + title;
    }
}
