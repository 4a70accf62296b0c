package org.rdma4j.tools.demo;

import java.util.List;
import org.rdma4j.link.FrameTap;
import org.rdma4j.trace.Ladder;
import org.rdma4j.verbs.DeviceContext;

/** What of a demo depends on the family of its devices. */
interface Wires {

    /** Opens A's device. */
    DeviceContext openA(String name);

    /** Opens B's device, on whose way packets may be lost on purpose. */
    DeviceContext openB(String name);

    /** A tap for both devices that draws what arrives. */
    FrameTap drawing(Ladder ladder);

    /** Connects the queue pairs; they are in RESET, and in RTS afterwards. */
    void connect(Stage stage);

    /** What stands between the devices, to be read behind a full stop. */
    String between();

    /** What connecting them was, and what kind of device this is, in lines. */
    List<String> words();

    /** The operations to be played. */
    List<Lesson> lessons();
}
