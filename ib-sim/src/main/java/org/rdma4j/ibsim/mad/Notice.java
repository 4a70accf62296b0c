package org.rdma4j.ibsim.mad;

import org.rdma4j.ibsim.fabric.Port;
import org.rdma4j.ibsim.fabric.Switch;
import org.rdma4j.wire.MadHeader;

/**
 * A generic notice that a port sends to its manager as a trap (IBTA volume 1, 13.4.8.2 and 14.2.5.1).
 *
 * <pre>
 * 64  IsGeneric (1 bit), Type (7)    65  ProducerType (24 bits)    68  TrapNumber    70  IssuerLID
 * 72  NoticeToggle, NoticeCount      74  DataDetails (54 bytes)
 * </pre>
 */
final class Notice {

    /** A link of a switch has changed its state. */
    static final int LINK_STATE = 128;

    /** Somebody has used the wrong M_Key. */
    static final int BAD_M_KEY = 256;

    /** A host got a packet of a partition that it is not in. */
    static final int BAD_P_KEY = 257;

    /** A switch's port did. */
    static final int BAD_P_KEY_AT_SWITCH = 259;

    static final int NUMBER = Mad.DATA + 4;
    static final int DETAILS = Mad.DATA + 10;

    private static final int ATTRIBUTE = 0x02;
    private static final int GENERIC = 0x80;
    private static final int URGENT = 1;
    private static final int SECURITY = 2;
    private static final int FROM_ADAPTER = 1;
    private static final int FROM_SWITCH = 2;
    private static final int PRODUCER = Mad.DATA + 3;
    private static final int ISSUER_LID = Mad.DATA + 6;
    private static final int RETURN_PATH_ROOM = 30;

    private Notice() {}

    /** @param issuer the port whose LID it bears */
    private static Mad of(int number, int type, Port issuer) {
        Mad mad = new Mad();
        mad.setInt8(MadHeader.BASE_VERSION_OFFSET, MadHeader.BASE_VERSION);
        mad.setInt8(MadHeader.MANAGEMENT_CLASS_OFFSET, Mad.SUBNET_LID_ROUTED);
        mad.setInt8(MadHeader.CLASS_VERSION_OFFSET, 1);
        mad.setMethod(Mad.TRAP);
        mad.setAttribute(ATTRIBUTE, 0);
        mad.setInt8(Mad.DATA, GENERIC | type);
        mad.setInt8(PRODUCER, issuer.node() instanceof Switch ? FROM_SWITCH : FROM_ADAPTER);
        mad.setInt16(NUMBER, number);
        mad.setInt16(ISSUER_LID, issuer.settings().lid());
        return mad;
    }

    static int issuerLid(Mad mad) {
        return mad.int16(ISSUER_LID);
    }

    static Mad linkState(Port issuer) {
        Mad mad = of(LINK_STATE, URGENT, issuer);
        mad.setInt16(DETAILS, issuer.settings().lid());
        return mad;
    }

    /** @param guilty the datagram with the wrong key */
    static Mad badMKey(Port issuer, Mad guilty) {
        Mad mad = of(BAD_M_KEY, SECURITY, issuer);
        mad.setInt16(DETAILS + 2, guilty.sourceLid);
        mad.setInt8(DETAILS + 6, guilty.method());
        mad.setInt16(DETAILS + 8, guilty.attribute());
        mad.setInt32(DETAILS + 10, guilty.modifier());
        mad.setInt64(DETAILS + 14, guilty.int64(Smp.M_KEY));
        if (Smp.isDirected(guilty)) {
            int hops = Smp.hopCount(guilty);
            mad.setInt16(DETAILS + 4, guilty.int16(Smp.SOURCE_LID));
            mad.setInt8(DETAILS + 23, 0x80 | Math.min(hops, RETURN_PATH_ROOM)); // by a directed route
            for (int hop = 1; hop <= Math.min(hops, RETURN_PATH_ROOM); hop++) {
                mad.setInt8(DETAILS + 23 + hop, Smp.returnPath(guilty, hop));
            }
        }
        return mad;
    }

    /** @param at where the packet came, or was to go out */
    static Mad badPKey(Port issuer, Port at, int sourceLid, int destinationLid, int pKey, int destinationQp) {
        if (!(issuer.node() instanceof Switch)) {
            Mad mad = of(BAD_P_KEY, SECURITY, issuer);
            mad.setInt16(DETAILS + 2, sourceLid);
            mad.setInt16(DETAILS + 4, destinationLid);
            mad.setInt32(DETAILS + 6, pKey);
            mad.setInt32(DETAILS + 14, destinationQp);
            return mad;
        }
        Mad mad = of(BAD_P_KEY_AT_SWITCH, SECURITY, issuer);
        mad.setInt16(DETAILS, 0xF << 12); // LIDs and P_Key are valid, GIDs are not
        mad.setInt16(DETAILS + 2, sourceLid);
        mad.setInt16(DETAILS + 4, destinationLid);
        mad.setInt16(DETAILS + 6, pKey);
        mad.setInt32(DETAILS + 12, destinationQp);
        mad.setInt16(DETAILS + 48, issuer.settings().lid());
        mad.setInt8(DETAILS + 50, at.number());
        return mad;
    }
}
