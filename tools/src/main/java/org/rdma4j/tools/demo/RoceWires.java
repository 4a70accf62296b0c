package org.rdma4j.tools.demo;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.rdma4j.link.FrameTap;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.link.fault.Faults;
import org.rdma4j.link.fault.FaultyLink;
import org.rdma4j.link.tap.LadderTap;
import org.rdma4j.trace.Ladder;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceOptions;
import org.rdma4j.verbs.Progress;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Opcode;

/** The transport of InfiniBand, over UDP. Requests may be lost on their way to B. */
final class RoceWires implements Wires {

    /** Close to the end of the numbers, so that the demo crosses it: 2^24 - 2. */
    private static final int FIRST_PSN = 0xFF_FFFE;

    private final DeviceOptions options;
    private int packetsUntilLoss = -1;
    private long losses;

    /** @param implementation of the link; empty for the best one here */
    RoceWires(String implementation) {
        LinkOptions link = new LinkOptions(LinkOptions.ROCE_V2_PORT, 0, implementation, false);
        options = DeviceOptions.defaults().withProgress(Progress.CALLER).withLink(link);
    }

    @Override
    public DeviceContext openA(String name) {
        return DeviceContext.open(name, options);
    }

    @Override
    public DeviceContext openB(String name) {
        return DeviceContext.open(name, options.withLinkAround(this::lossy));
    }

    private Link lossy(Link link) {
        return new FaultyLink(link, Faults.NONE, new Random(1)).dropReceived(this::isLost);
    }

    private boolean isLost(long number, MemorySegment packet, long offset, int length) {
        boolean isLost = Opcode.isRequest(Bth.opcode(packet, offset)) && packetsUntilLoss-- == 0;
        losses += isLost ? 1 : 0;
        return isLost;
    }

    /** Packets lost so far. */
    long losses() {
        return losses;
    }

    /** Loses one of the requests to come on its way to B: 0 for the next one. */
    void loseRequest(int number) {
        packetsUntilLoss = number;
    }

    @Override
    public FrameTap drawing(Ladder ladder) {
        return new LadderTap(ladder).arrivals();
    }

    @Override
    public void connect(Stage stage) {
        stage.a.connect(stage.b, FIRST_PSN, 0);
        stage.b.connect(stage.a, 0, FIRST_PSN);
    }

    @Override
    public String between() {
        return "Real UDP sockets between them.";
    }

    @Override
    public List<String> words() {
        return List.of(
                "The two have told each other these numbers; that is all that connecting a queue pair is.",
                "A program posts work to a queue in its own memory, and polls for completions there. An RDMA NIC does the",
                "rest: no system call an operation (kernel bypass), no copy between registered memory and wire (zero",
                "copy). This one is software, and pays: a system call a train of packets, and one copy on the way in.",
                "On the way out the payload is gathered from where it lies.");
    }

    @Override
    public List<Lesson> lessons() {
        List<Lesson> lessons = new ArrayList<>(TwoSidedLessons.all());
        lessons.addAll(OneSidedLessons.all());
        lessons.addAll(new TroubleLessons(this).all());
        return lessons;
    }
}
