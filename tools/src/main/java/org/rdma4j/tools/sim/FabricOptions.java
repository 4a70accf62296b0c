package org.rdma4j.tools.sim;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.rdma4j.ibsim.fabric.Fabric;
import org.rdma4j.ibsim.fabric.TopologyException;
import org.rdma4j.ibsim.topology.NetFile;
import org.rdma4j.ibsim.topology.Topologies;
import org.rdma4j.tools.ByteSize;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;
import picocli.CommandLine;

/** Which fabric. */
final class FabricOptions {

    /** Not required of the parser: {@code sim serve} has one of its own behind it. */
    @CommandLine.Parameters(
            arity = "0..1",
            paramLabel = "TOPOLOGY",
            description = "A file as ibnetdiscover prints it, or one of " + Topologies.FORMS + ".")
    private String topology;

    @CommandLine.Option(
            names = "--seed",
            description = "Of all that happens by chance: the same one gives the same run (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @CommandLine.Option(
            names = "--lane-buffer",
            paramLabel = "BYTES",
            converter = ByteSize.class,
            description = "What a port can hold for each virtual lane (default: ${DEFAULT-VALUE}).")
    private long laneBuffer = 32 << 10;

    long seed() {
        return seed;
    }

    Fabric build() {
        if (topology == null) {
            throw new ToolException(ExitStatus.USAGE, "a topology is needed: a file, or one of " + Topologies.FORMS);
        }
        Fabric fabric = new Fabric(seed);
        try {
            fabric.setLaneBuffer((int) Math.min(laneBuffer, Integer.MAX_VALUE));
            if (Topologies.isName(topology)) {
                Topologies.build(topology, fabric);
            } else {
                NetFile.read(Files.readAllLines(Path.of(topology), StandardCharsets.UTF_8), fabric);
            }
        } catch (TopologyException e) {
            throw new ToolException(ExitStatus.USAGE, topology + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw new ToolException(
                    ExitStatus.USAGE, topology + ": neither a file that can be read nor one of " + Topologies.FORMS, e);
        }
        if (fabric.nodes().isEmpty()) {
            throw new ToolException(ExitStatus.USAGE, topology + ": describes no node");
        }
        return fabric;
    }
}
