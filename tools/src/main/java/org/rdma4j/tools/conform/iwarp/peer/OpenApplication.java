package org.rdma4j.tools.conform.iwarp.peer;

import java.util.Arrays;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.tools.conform.check.Inside;
import org.rdma4j.tools.conform.check.Work;
import org.rdma4j.tools.conform.iwarp.Application;
import org.rdma4j.tools.conform.iwarp.Arrival;
import org.rdma4j.tools.conform.iwarp.IwarpScene;
import org.rdma4j.tools.conform.iwarp.IwarpSetup;
import org.rdma4j.tools.conform.iwarp.Target;
import org.rdma4j.verbs.WcStatus;

/** The built-in peer does nothing by itself: whoever plays with it reaches into it. */
record OpenApplication(Inside inside, IwarpSetup setup) implements Application {

    @Override
    public long settling() {
        return 0;
    }

    @Override
    public int ird() {
        return setup.ird();
    }

    @Override
    public int receives() {
        return setup.receives();
    }

    @Override
    public Target introduce(IwarpScene scene) {
        return new Target(inside.region().rKey(), inside.region().address(), (int)
                inside.region().length());
    }

    @Override
    public Arrival provokeRead(IwarpScene scene, int size) {
        scene.post(new Work(Work.Op.READ, size, 1));
        return scene.expect(RdmapOpcode.READ_REQUEST);
    }

    @Override
    public void readDone(IwarpScene scene) {
        scene.completes(0, WcStatus.SUCCESS);
        scene.completesNothing();
    }

    @Override
    public void provokeWrite(IwarpScene scene, int size) {
        scene.post(new Work(Work.Op.WRITE, size, 1));
        scene.post(new Work(Work.Op.SEND, IwarpSetup.RECEIVE_SIZE, 1));
    }

    @Override
    public void delivered(IwarpScene scene, int place) {
        scene.completes(scene.receive(place), WcStatus.SUCCESS);
        long at = Inside.RECEIVES + scene.receive(place) * IwarpSetup.RECEIVE_SIZE;
        byte[] message = scene.message(place);
        byte[] got = inside.bytes(at, message.length);
        scene.require(
                Arrays.equals(message, got),
                "the receive's bytes differ from the message's at byte " + Arrays.mismatch(message, got));
    }
}
