package org.rdma4j.ibsim.fabric;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.rdma4j.wire.NetworkOrder;

/** Links that flip bits: each packet that leaves such a port may lose one. */
public final class BitErrors {

    private final SplittableRandom random;
    private final Map<Port, Double> rates = new HashMap<>();

    BitErrors(SplittableRandom random) {
        this.random = random;
    }

    /**
     * @param rate flipped bits among those that leave the port, 0 to 1
     */
    public void set(Port port, double rate) {
        if (!(rate >= 0 && rate <= 1)) {
            throw new TopologyException(port + ": a bit error rate of " + rate + " is not between 0 and 1");
        }
        if (rate == 0) {
            rates.remove(port);
        } else {
            rates.put(port, rate);
        }
    }

    void strike(Port port, FabricPacket packet) {
        if (rates.isEmpty()) {
            return;
        }
        double rate = rates.getOrDefault(port, 0.0);
        int bits = packet.length() * Byte.SIZE;
        if (rate > 0 && random.nextDouble() < -Math.expm1(bits * Math.log1p(-rate))) {
            packet.seal();
            int bit = random.nextInt(bits);
            int at = bit / Byte.SIZE;
            packet.bytes().set(NetworkOrder.BYTE, at, (byte)
                    (packet.bytes().get(NetworkOrder.BYTE, at) ^ 1 << bit % Byte.SIZE));
            packet.readHeader();
            packet.distrust();
        }
    }
}
