package org.rdma4j.tools.conform.iwarp.peer;

import java.util.Arrays;
import org.rdma4j.iwarp.craft.Ulpdu;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.iwarp.wire.ReadRequest;
import org.rdma4j.tools.conform.iwarp.Application;
import org.rdma4j.tools.conform.iwarp.Arrival;
import org.rdma4j.tools.conform.iwarp.IwarpScene;
import org.rdma4j.tools.conform.iwarp.Target;

/**
 * rping's server: it is told of memory by a message of 16 bytes, READs it, and SENDs; it is told of memory again, WRITEs
 * there the text that it has read, up to its final 0, and SENDs; and so on. Its buffer's STag stands in its Read Requests.
 */
final class RpingApplication implements Application {

    /** What rping asks for when it accepts. */
    private static final int IRD = 1;

    /** siw replies first and has its queue pair listen then; what comes in between is left lying until more comes. */
    private static final long SETTLING = 100_000_000L;

    private static final int TEXT = 64;

    private final int size;
    private Target target;
    private boolean writesNext;

    /** @param size bytes of its buffer */
    RpingApplication(int size) {
        this.size = size;
    }

    @Override
    public long settling() {
        return SETTLING;
    }

    @Override
    public int ird() {
        return IRD;
    }

    @Override
    public int receives() {
        return 1;
    }

    @Override
    public Target introduce(IwarpScene scene) {
        if (target == null) {
            ReadRequest asked = scene.wanted(askForRead(scene, TEXT));
            target = new Target(asked.sinkSTag(), asked.sinkOffset(), size);
            answer(scene, asked);
        }
        return target;
    }

    private static Arrival askForRead(IwarpScene scene, int bytes) {
        scene.send(Ulpdu.send(scene.sendMsn(0), scene.advert(bytes)));
        scene.pastSends(1);
        return scene.expect(RdmapOpcode.READ_REQUEST);
    }

    private void answer(IwarpScene scene, ReadRequest asked) {
        scene.require(asked.size() > 0 && asked.size() <= size, "the peer asks for " + asked.size() + " bytes");
        scene.send(Ulpdu.tagged(
                RdmapOpcode.READ_RESPONSE, true, asked.sinkSTag(), asked.sinkOffset(), text((int) asked.size())));
        scene.expect(RdmapOpcode.SEND);
        writesNext = true;
    }

    /** So many bytes, the last one the first 0. */
    private static byte[] text(int length) {
        byte[] text = new byte[length];
        Arrays.fill(text, 0, length - 1, (byte) 'r');
        return text;
    }

    /** It WRITEs, and waits for memory to READ then. */
    private void write(IwarpScene scene) {
        if (writesNext) {
            scene.send(scene.send(0));
            scene.pastSends(1);
            written(scene);
        }
    }

    private void written(IwarpScene scene) {
        scene.expectTagged(RdmapOpcode.WRITE, IwarpScene.SINK_TAG, IwarpScene.SINK);
        scene.expect(RdmapOpcode.SEND);
        writesNext = false;
    }

    @Override
    public Arrival provokeRead(IwarpScene scene, int bytes) {
        write(scene);
        return askForRead(scene, bytes);
    }

    @Override
    public void readDone(IwarpScene scene) {
        scene.expect(RdmapOpcode.SEND);
        writesNext = true;
    }

    @Override
    public void provokeWrite(IwarpScene scene, int bytes) {
        byte[] text = text(bytes);
        scene.send(Ulpdu.write(target.sTag(), target.offset(), text));
        scene.send(scene.send(0));
        scene.pastSends(1);
        writesNext = false;
    }

    @Override
    public void delivered(IwarpScene scene, int place) {
        if (writesNext) {
            written(scene);
        } else {
            answer(scene, scene.wanted(scene.expect(RdmapOpcode.READ_REQUEST)));
        }
    }
}
