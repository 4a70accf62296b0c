package org.rdma4j.verbs;

import java.util.Set;
import org.rdma4j.memory.AccessFlags;

/** The ranges of queue pair attributes, for a refusal that names the attribute, the value and the range. */
final class QpAttributeRanges {

    private static final int PSN_MAX = 0xFF_FFFF;
    private static final Set<Integer> PATH_MTUS = Set.of(256, 512, 1024, 2048, 4096);

    private QpAttributeRanges() {}

    /** @return {@code null} where all values that are set are legal, else the reason */
    static String refusal(QpAttributes wanted, DeviceContext device) {
        for (QpAttribute attribute : wanted.mask()) {
            String refusal = refusal(attribute, wanted, device);
            if (refusal != null) {
                return refusal;
            }
        }
        return null;
    }

    private static String refusal(QpAttribute attribute, QpAttributes wanted, DeviceContext device) {
        DeviceAttributes limits = device.queryDevice();
        return switch (attribute) {
            case ACCESS_FLAGS -> accessRefusal(wanted.accessFlags());
            case PKEY_INDEX -> range("PKEY_INDEX", wanted.pkeyIndex(), 0, device.pkeyTableLength() - 1);
            case PORT -> range("PORT", wanted.port(), 1, 1);
            case AV -> avRefusal(wanted.av(), device);
            case PATH_MTU -> mtuRefusal(wanted.pathMtu(), device);
            case TIMEOUT -> range("TIMEOUT", wanted.timeout(), 0, 31);
            case RETRY_CNT -> range("RETRY_CNT", wanted.retryCount(), 0, 7);
            case RNR_RETRY -> range("RNR_RETRY", wanted.rnrRetry(), 0, 7);
            case RQ_PSN -> range("RQ_PSN", wanted.rqPsn(), 0, PSN_MAX);
            case SQ_PSN -> range("SQ_PSN", wanted.sqPsn(), 0, PSN_MAX);
            case MAX_QP_RD_ATOMIC -> range("MAX_QP_RD_ATOMIC", wanted.maxRdAtomic(), 0, limits.maxQpInitRdAtomic());
            case MAX_DEST_RD_ATOMIC -> range("MAX_DEST_RD_ATOMIC", wanted.maxDestRdAtomic(), 0, limits.maxQpRdAtomic());
            case MIN_RNR_TIMER -> range("MIN_RNR_TIMER", wanted.minRnrTimer(), 0, 31);
            case DEST_QPN -> range("DEST_QPN", wanted.destQpNum(), 0, PSN_MAX);
            case ALT_PATH -> alternateRefusal(wanted, device);
            case CAP -> "CAP: the queues of a queue pair are not resized";
            case RATE_LIMIT -> "RATE_LIMIT: a link sends as fast as its peer takes it";
            case STATE, CUR_STATE, EN_SQD_ASYNC_NOTIFY, QKEY, PATH_MIG_STATE -> null;
        };
    }

    private static String accessRefusal(int flags) {
        int unknown = flags
                & ~(AccessFlags.LOCAL_WRITE
                        | AccessFlags.REMOTE_WRITE
                        | AccessFlags.REMOTE_READ
                        | AccessFlags.REMOTE_ATOMIC
                        | AccessFlags.MW_BIND
                        | AccessFlags.FLUSH_GLOBAL
                        | AccessFlags.FLUSH_PERSISTENT);
        return unknown == 0 ? null : String.format("ACCESS_FLAGS 0x%x hold bits that a QP does not have", flags);
    }

    private static String alternateRefusal(QpAttributes wanted, DeviceContext device) {
        String refusal = avRefusal(wanted.alternateAv(), device);
        if (refusal == null) {
            refusal = range("pkey_index", wanted.alternatePkeyIndex(), 0, device.pkeyTableLength() - 1);
        }
        if (refusal == null) {
            refusal = range("timeout", wanted.alternateTimeout(), 0, 31);
        }
        return refusal == null ? null : "ALT_PATH: " + refusal;
    }

    /** @return {@code null} where the address vector is one of this device's, else the reason */
    static String avRefusal(AhAttributes av, DeviceContext device) {
        String refusal = range("AV's sgid_index", av.sgidIndex(), 0, device.gidTableLength() - 1);
        if (refusal == null) {
            refusal = range("AV's flow label", av.flowLabel(), 0, 0xF_FFFF);
        }
        if (refusal == null) {
            refusal = range("AV's traffic class", av.trafficClass(), 0, 255);
        }
        return refusal == null ? range("AV's hop limit", av.hopLimit(), 0, 255) : refusal;
    }

    private static String mtuRefusal(int mtu, DeviceContext device) {
        if (!PATH_MTUS.contains(mtu)) {
            return "PATH_MTU is 256, 512, 1024, 2048 or 4096, not " + mtu;
        }
        if (mtu > device.maxPathMtu()) {
            PortAttributes port = device.queryPort();
            return String.format(
                    "PATH_MTU %d does not fit the interface: its MTU of %d carries packets of at most %d",
                    mtu, port.interfaceMtu(), port.activeMtu());
        }
        return null;
    }

    private static String range(String name, int value, int least, int most) {
        return value >= least && value <= most
                ? null
                : String.format("%s is %d to %d, not %d", name, least, most, value);
    }
}
