package org.rdma4j.ibsim.ethernet;

import java.util.SplittableRandom;
import org.rdma4j.wire.Ecn;

/**
 * Decides which packets of a queue get the mark of congestion: none below Kmin, all above Kmax, between the two a part that
 * grows with the queue up to Pmax (RED on the queue as it is now; the paper on DCQCN, figure 5).
 */
final class EcnMarker {

    private final RoceSettings settings;
    private final SplittableRandom random;

    EcnMarker(RoceSettings settings, SplittableRandom random) {
        this.settings = settings;
        this.random = random;
    }

    /** @param queued bytes that wait before the packet */
    boolean marks(int trafficClass, int queued) {
        if (!settings.ecn() || !Ecn.isCapable(trafficClass) || queued <= settings.markFrom()) {
            return false;
        }
        if (queued > settings.markAll()) {
            return true;
        }
        double part = (queued - settings.markFrom()) / (double) (settings.markAll() - settings.markFrom());
        return random.nextDouble() < part * settings.markMost();
    }
}
