package org.rdma4j.tools.decode;

import java.io.IOException;

/** A form in which captures are shown. */
interface View {

    /** One of several files begins. */
    void file(String name);

    void packet(String file, DecodedFrame decoded);

    /** A file is over. */
    void summary(String file, Decoder decoder, Summary summary);

    /** All files are. */
    default void end() throws IOException {}
}
