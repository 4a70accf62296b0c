package org.rdma4j.tools.conform.check;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import org.rdma4j.tools.conform.craft.Crafted;
import org.rdma4j.tools.conform.craft.Expected;
import org.rdma4j.tools.conform.craft.Pattern;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QpType;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.wire.Deth;
import org.rdma4j.wire.ExtensionHeader;
import org.rdma4j.wire.Grh;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Psn;
import org.rdma4j.wire.Reth;

/**
 * A responder under test that acknowledges nothing, of UC or UD, and the words for what is sent to it. What it has taken is
 * seen inside of it; an ordinary program, a server of latencies, answers each message that it takes with one of its own.
 * Every packet is named by its place: 0 is the first PSN behind the message before the story.
 */
public final class Unacked extends Scene {

    /** Bytes of the messages before and after. */
    public static final int SMALL = 8;

    /** perftest's. */
    public static final int Q_KEY = 0x1111_1111;

    private static final int FIRST = 0;
    private static final int MIDDLE = 1;
    private static final int LAST = 2;
    private static final int ONLY = 4;

    private final QpType type;
    private final Service service;
    private final int receiveSize;
    private final byte[] image; // what the target memory is to hold, where that can be seen
    private int first;
    private int taken;
    private int answerPsn;

    Unacked(Connection connection, Check check) {
        super(connection);
        type = check.type();
        service = check.service();
        receiveSize = check.receiveSize(connection.mtu());
        image = inside() == null ? null : inside().bytes(0, Inside.TARGET);
        first = connection.firstPsn();
        answerPsn = connection.peerPsn();
    }

    /** The PSN of a place. */
    public int psn(int place) {
        return Psn.add(first, place);
    }

    /** The bytes that a message may have. */
    public int size() {
        return connection().size();
    }

    // Requests.

    /** Any packet; of a datagram the DETH is already there. */
    public Crafted packet(int opcode, int place, ExtensionHeader... headers) {
        return new Crafted(opcode, psn(place), headers);
    }

    /** A datagram's DETH as it should be. */
    public Deth deth() {
        return new Deth(Q_KEY, connection().line().qpn());
    }

    /** Where a WRITE of so many bytes goes: to the end of the peer's memory, whose last byte ib_write_lat looks at. */
    public Reth reth(int length) {
        return new Reth(connection().address() + size() - length, connection().rKey(), length);
    }

    /** A small message, beyond doubt. */
    public Crafted good(int place) {
        return message(place, SMALL)[0];
    }

    /** The packets of the next message: of SEND or WRITE as the peer's service is, the first of them at this place. */
    public Crafted[] message(int place, int length) {
        byte[] bytes = Pattern.of(psn(place), length);
        if (!service.receives() && length > 0) {
            bytes[length - 1] = (byte) (taken + 1); // ib_write_lat waits for this value in the last byte
        }
        if (type == QpType.UD) {
            return new Crafted[] {packet(Opcode.UD_SEND_ONLY, place, deth()).payload(bytes)};
        }
        int count = Math.max(1, (length + mtu() - 1) / mtu());
        Crafted[] packets = new Crafted[count];
        for (int index = 0; index < count; index++) {
            int from = index * mtu();
            packets[index] = part(place, index, count, length)
                    .payload(Arrays.copyOfRange(bytes, from, Math.min(length, from + mtu())));
        }
        return packets;
    }

    private Crafted part(int place, int index, int count, int length) {
        int opcode = opcode(index, count);
        return Opcode.hasReth(opcode) ? packet(opcode, place + index, reth(length)) : packet(opcode, place + index);
    }

    private int opcode(int index, int count) {
        int kind = service.receives() ? Opcode.UC_SEND_FIRST : Opcode.UC_RDMA_WRITE_FIRST;
        return kind + (count == 1 ? ONLY : index == 0 ? FIRST : index == count - 1 ? LAST : MIDDLE);
    }

    // What becomes of them.

    /** A message is sent, and the peer takes it. */
    public WorkCompletion takes(Crafted... message) {
        send(message);
        return taken(message);
    }

    /**
     * The peer has taken this message, and none before it that it should not have.
     *
     * @return its completion; {@code null} where there is none, or where it cannot be seen
     */
    public WorkCompletion taken(Crafted... message) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (Crafted packet : message) {
            bytes.writeBytes(packet.bytes());
        }
        WorkCompletion completion = null;
        if (inside() == null) {
            answered();
        } else if (service.receives()) {
            completion = received(bytes.toByteArray());
        } else {
            placed(size() - bytes.size(), bytes.toByteArray());
            settled();
        }
        taken++;
        return completion;
    }

    private WorkCompletion received(byte[] bytes) {
        int header = type == QpType.UD ? Grh.LENGTH : 0;
        WorkCompletion completion = completes(taken, WcStatus.SUCCESS);
        require(
                completion.byteLength() == header + bytes.length,
                "the completion tells of " + completion.byteLength() + " bytes, not of " + (header + bytes.length));
        memoryIs(receive(taken) + header, bytes);
        return completion;
    }

    /** Where in the peer's memory a receive lies; the one behind those taken has their number. */
    public long receive(int number) {
        return Inside.RECEIVES + (long) number * receiveSize;
    }

    /** Bytes of each receive. */
    public int receiveSize() {
        return receiveSize;
    }

    /** Messages that the peer has taken: the number of the receive that the next one finds. */
    public int taken() {
        return taken;
    }

    /** These bytes are to be in the peer's memory from now on, whole message or not. */
    public void placed(long offset, byte[] bytes) {
        if (image != null) {
            System.arraycopy(bytes, 0, image, (int) offset, bytes.length);
        }
    }

    /** The peer's memory comes to hold what it should. */
    private void settled() {
        long end = connection().timing().answer();
        connection().pace().await(() -> Arrays.equals(image, inside().bytes(0, image.length)) ? image : null, end);
        memoryIs(0, image);
    }

    /** The program's own message. */
    private void answered() {
        if (type == QpType.UD) {
            expect(new Expected(Opcode.UD_SEND_ONLY, answerPsn).length(size()));
            answerPsn = Psn.next(answerPsn);
            return;
        }
        int count = size() / mtu();
        for (int index = 0; index < count; index++) {
            expect(new Expected(opcode(index, count), answerPsn).length(mtu()));
            answerPsn = Psn.next(answerPsn);
        }
    }

    /** Nothing of what was sent is taken, and nothing comes back. */
    public void ignored() {
        silence();
        completesNothing();
        if (image != null) {
            memoryIs(0, image);
        }
    }

    // What is sent before and after.

    /** The message before the story: without it nothing can be judged. */
    void greet() {
        try {
            if (inside() == null && !service.receives()) {
                answered(); // a server of ib_write_lat begins
            }
            takes(good(0));
        } catch (Outcome.Failed e) {
            throw new Outcome.Inconclusive("the good message before the check went wrong: " + e.getMessage());
        }
        first = Psn.next(first);
    }

    /** The message after the story, at this place. */
    public void alive(int place) {
        takes(good(place));
        silence();
        completesNothing();
        stateIs(QpState.RTS);
        guardsAreWhole();
    }

    /**
     * Waits for what shows how the peer's program fares: that it fails at a completion in error, as every ordinary one does,
     * or that it answers.
     *
     * @return the number of the status that it failed with, else {@code null}
     */
    public String failure() {
        if (inside() != null) {
            return null;
        }
        String said = connection()
                .pace()
                .await(
                        () -> {
                            String failure = connection().failure().get();
                            return failure != null || !connection().line().holds(packet -> true) ? failure : "";
                        },
                        connection().timing().answer());
        if (said == null || said.isEmpty()) {
            return null;
        }
        spend();
        return said;
    }
}
