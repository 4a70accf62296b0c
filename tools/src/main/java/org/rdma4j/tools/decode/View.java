package org.rdma4j.tools.decode;

import java.io.IOException;
import org.rdma4j.iwarp.capture.CapturedUnit;

/** A form in which captures are shown. */
interface View {

    /** One of several files begins. */
    void file(String name);

    void packet(String file, DecodedFrame decoded);

    /** A unit of iWARP; forms that know of RoCE only pass it over. */
    default void iwarp(String file, IwarpFrame frame, CapturedUnit unit) {}

    /** A file is over. */
    void summary(String file, Decoder decoder, Summary summary);

    /** All files are. */
    default void end() throws IOException {}
}
