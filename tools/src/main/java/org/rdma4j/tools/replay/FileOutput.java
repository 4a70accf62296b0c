package org.rdma4j.tools.replay;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.rdma4j.pcap.LinkType;
import org.rdma4j.pcap.PcapngWriter;

/** Into another capture, with the times at which the frames would go out. */
final class FileOutput implements FrameOutput {

    private static final int BUFFER = 1 << 18;

    private final PcapngWriter writer;
    private final int interfaceIndex;
    private final Pacing pacing;

    FileOutput(Path file, String source, Pacing pacing) throws IOException {
        this.pacing = pacing;
        writer = new PcapngWriter(new BufferedOutputStream(Files.newOutputStream(file), BUFFER), "rdma4j replay");
        interfaceIndex = writer.addInterface(LinkType.ETHERNET, source);
    }

    @Override
    public String send(long captured, Rewritten frame) throws IOException {
        writer.write(interfaceIndex, pacing.due(captured), frame.bytes(), 0, (int)
                frame.bytes().byteSize());
        return null;
    }

    @Override
    public void close() throws IOException {
        writer.close();
    }
}
