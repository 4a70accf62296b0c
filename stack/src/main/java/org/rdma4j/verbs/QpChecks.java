package org.rdma4j.verbs;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.rdma4j.transport.Abilities;

/** What a queue pair is refused for, before there is one. */
final class QpChecks {

    private QpChecks() {}

    /** @param domain of a queue pair of type XRC_RECV; {@code null} for any other */
    static void check(ProtectionDomain pd, QpInitAttributes wanted, XrcDomain domain) {
        if ((wanted.type() == QpType.XRC_RECV) != (domain != null)) {
            throw VerbsException.invalid("a queue pair of type XRC_RECV is created by its XRC domain");
        }
        if (wanted.extendedOps() && wanted.type() != QpType.RC) {
            throw VerbsException.invalid("FLUSH and ATOMIC_WRITE go with RC, not with %s", wanted.type());
        }
        DeviceContext device = pd.device();
        Abilities abilities = device.engine().abilities();
        if (!abilities.kinds().contains(wanted.type().kind())) {
            throw VerbsException.unsupported(
                    "%s has no %s queue pairs: %s has %s",
                    device.name(), wanted.type(), abilities.transport(), known(abilities));
        }
        DeviceAttributes limits = device.queryDevice();
        check("max_send_wr", wanted.maxSendWr(), limits.maxQpWr());
        check("max_recv_wr", wanted.maxReceiveWr(), limits.maxQpWr());
        check("max_send_sge", wanted.maxSendSge(), limits.maxSge());
        check("max_recv_sge", wanted.maxReceiveSge(), limits.maxSge());
        check("max_inline_data", wanted.maxInlineData(), limits.maxInlineData());
        wanted.sendCq().requireOpen();
        wanted.receiveCq().requireOpen();
        if (wanted.sendCq().device() != device || wanted.receiveCq().device() != device) {
            throw VerbsException.invalid("the completion queues belong to another device");
        }
        SharedReceiveQueue shared = wanted.srq();
        if (shared != null) {
            shared.requireOpen();
        }
        if (shared != null && shared.isXrc()) {
            throw VerbsException.invalid("messages name an XRC shared receive queue: no queue pair is attached to it");
        }
        if (shared != null && shared.device() != device) {
            throw VerbsException.invalid("the shared receive queue belongs to another device");
        }
    }

    private static String known(Abilities abilities) {
        return Arrays.stream(QpType.values())
                .filter(type -> abilities.kinds().contains(type.kind()))
                .map(QpType::name)
                .collect(Collectors.joining(", "));
    }

    private static void check(String name, int value, int most) {
        if (value < 0 || value > most) {
            throw VerbsException.invalid("%s is 0 to %d, not %d", name, most, value);
        }
    }
}
