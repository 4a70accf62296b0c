package org.rdma4j.conformance;

import org.rdma4j.verbs.AddressHandle;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.QpType;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.Grh;

/** A device with one datagram queue pair, and peers played by hand. */
abstract class UdScene extends RcScene {

    static final int Q_KEY = 0x1111_1111;

    AddressHandle way;

    final void openUd(Setup setup) {
        connect(setup.withType(QpType.UD).withQKey(Q_KEY));
        way = device.pd.createAh(AhAttributes.to(HandPlayedLink.PEER));
    }

    /** A datagram that is well made. */
    static WirePacket good(int psn) {
        return Packets.datagram(psn).deth(Q_KEY, Peer.QPN);
    }

    /** Posts a receive for a datagram of so many bytes. */
    final void receives(long id, long offset, int length) {
        device.receives(id, offset, Grh.LENGTH + length);
    }

    /** A signaled datagram to the peer. */
    final SendWorkRequest datagram(WrOpcode opcode, long id) {
        return new SendWorkRequest()
                .reset(opcode)
                .wrId(id)
                .ud(way, Peer.QPN, Q_KEY)
                .signaled();
    }
}
